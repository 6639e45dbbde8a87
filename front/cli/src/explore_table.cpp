#include "explore_table.h"

#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/report/search_course.h"
#include "sextant/report/table_search_report.h"

namespace sextant::cli {
std::vector<Option> table_search_options(ask::TableSearchQuestion& question) {
  return {
      {.name = "table",
       .summary = "compare strategies on recorded runs",
       .target = &question.table,
       .value_name = "FILE"},
      {.name = "group",
       .summary = "--table: column that separates searches: rows with the same value belong to one",
       .target = &question.group,
       .value_name = "COL"},
      {.name = "config",
       .summary = "--table: columns that name a configuration",
       .target = &question.config,
       .value_name = "LIST"},
      {.name = "features",
       .summary = "--table: columns that the models see (default: those of --config)",
       .target = &question.features,
       .value_name = "LIST"},
      {.name = "objective",
       .summary = "--table: column to minimise",
       .target = &question.objective,
       .value_name = "COL"},
      {.name = "censored",
       .summary = "--table: rows that did not complete, as in completed=0",
       .target = &question.censored,
       .value_name = "COL=VALUE"},
      {.name = "penalised",
       .summary = "--table: column with the value that a failed run counts for (default: "
                  "OBJECTIVE_penalised, else the worst run)",
       .target = &question.penalised,
       .value_name = "COL"},
      {.name = "transfer-apart",
       .summary =
           "--table: strategies may learn from other groups, except those with the same value of this column",
       .target = &question.transfer_apart,
       .value_name = "COL"},
      {.name = "prior",
       .summary = "--table: column with predictions of the objective, which strategies may start from",
       .target = &question.prior,
       .value_name = "COL"},
      {.name = "seeds",
       .summary = "--table: how many searches of each group, each with another seed",
       .target = &question.seeds,
       .value_name = "K",
       .low = 1,
       .high = 100000},
      {.name = "threads",
       .summary = "--table: how many searches run at the same time; 0: one for each core",
       .target = &question.threads,
       .value_name = "N",
       .low = 0,
       .high = 1024}};
}

void refuse_table_options(const ask::TableSearchQuestion& question) {
  const auto refuse = [](bool given, const std::string& option) {
    if (given) throw InputError({option}, option + " counts only with --table");
  };
  refuse(question.group.has_value(), "--group");
  refuse(!question.config.empty(), "--config");
  refuse(!question.features.empty(), "--features");
  refuse(question.objective.has_value(), "--objective");
  refuse(question.censored.has_value(), "--censored");
  refuse(question.penalised.has_value(), "--penalised");
  refuse(question.transfer_apart.has_value(), "--transfer-apart");
  if (question.prior) {
    throw InputError({"--prior"}, "--prior names a column of --table",
                     "in a study, what 'predict' answers is believed: prior = \"NET --batch {batch}\"");
  }
}

int run_table_search(const TableSearchArgs& args, const Io& io, const Globals& globals) {
  ask::TableSearchQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  std::optional<OutputFile> picture = output_file(args.plot, io);
  const auto [report, warnings] = ask::search_table(question, *progress_on(io));
  for (const std::string& warning : warnings) warn(io, warning);
  write_result(io, globals, report::table_search_result(report));
  if (picture) {
    picture->stream() << report::table_course_svg(report);
    picture->commit();
  }
  return kDone;
}

}  // namespace sextant::cli
