#include "explore_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/report/search_course.h"
#include "sextant/report/table_search_report.h"

namespace sextant {
namespace {

const std::string& needed(const std::optional<std::string>& value, const std::string& option) {
  if (!value) throw InputError({option}, "--table needs " + option);
  return *value;
}

std::size_t threads_of(const TableArgs& args) {
  if (args.threads > 0) return static_cast<std::size_t>(args.threads);
  return std::max(1U, std::thread::hardware_concurrency());
}

TableSearchRequest request_of(const TableArgs& args, const Globals& globals) {
  TableSearchRequest request;
  request.group = needed(args.group, "--group");
  request.config = args.config;
  request.features = args.features.empty() ? args.config : args.features;
  request.objective = needed(args.objective, "--objective");
  request.censored = args.censored.value_or("");
  request.penalised = args.penalised.value_or("");
  request.transfer_apart = args.transfer_apart.value_or("");
  request.prior = args.prior.value_or("");
  request.strategies = split(args.strategies.value_or("sextant,random"), ',');
  request.trials = static_cast<std::size_t>(args.trials);
  request.seeds = static_cast<std::size_t>(args.seeds);
  request.seed = static_cast<std::uint64_t>(globals.seed);
  request.threads = threads_of(args);
  return request;
}

}  // namespace

std::vector<Option> table_search_options(TableArgs& args) {
  return {
      {.name = "table",
       .summary = "compare strategies on recorded runs",
       .target = &args.table,
       .value_name = "FILE"},
      {.name = "group",
       .summary = "--table: column; rows with one value are one search",
       .target = &args.group,
       .value_name = "COL"},
      {.name = "config",
       .summary = "--table: columns that name a configuration",
       .target = &args.config,
       .value_name = "LIST"},
      {.name = "features",
       .summary = "--table: columns that models see; without it, those of --config",
       .target = &args.features,
       .value_name = "LIST"},
      {.name = "objective",
       .summary = "--table: column to minimise",
       .target = &args.objective,
       .value_name = "COL"},
      {.name = "censored",
       .summary = "--table: rows that did not complete, as in completed=0",
       .target = &args.censored,
       .value_name = "COL=VALUE"},
      {.name = "penalised",
       .summary = "--table: what a failed run counts for; without it, OBJECTIVE_penalised or the dearest run",
       .target = &args.penalised,
       .value_name = "COL"},
      {.name = "transfer-apart",
       .summary = "--table: strategies know the other groups, but those with the same value of this column",
       .target = &args.transfer_apart,
       .value_name = "COL"},
      {.name = "prior",
       .summary = "--table: column with what was predicted of the objective, which strategies may start from",
       .target = &args.prior,
       .value_name = "COL"},
      {.name = "seeds",
       .summary = "--table: searches of each group",
       .target = &args.seeds,
       .value_name = "K",
       .low = 1,
       .high = 100000},
      {.name = "threads",
       .summary = "--table: searches at a time; 0: as many as there are cores",
       .target = &args.threads,
       .value_name = "N",
       .low = 0,
       .high = 1024}};
}

void refuse_table_options(const TableArgs& args) {
  const auto refuse = [](bool given, const std::string& option) {
    if (given) throw InputError({option}, option + " counts only with --table");
  };
  refuse(args.group.has_value(), "--group");
  refuse(!args.config.empty(), "--config");
  refuse(!args.features.empty(), "--features");
  refuse(args.objective.has_value(), "--objective");
  refuse(args.censored.has_value(), "--censored");
  refuse(args.penalised.has_value(), "--penalised");
  refuse(args.transfer_apart.has_value(), "--transfer-apart");
  if (args.prior) {
    throw InputError({"--prior"}, "--prior names a column of --table",
                     "in a study, what 'predict' answers is believed: prior = \"NET --batch {batch}\"");
  }
}

int run_table_search(const TableArgs& args, const Io& io, const Globals& globals) {
  const CsvTable table = CsvTable::read_file(needed(args.table, "--table"));
  const TableSearchRequest request = request_of(args, globals);
  std::optional<OutputFile> picture;
  if (args.plot) picture.emplace(*args.plot);
  const TableSearchReport report = search_table(table, request, *progress_on(io));
  for (const std::string& group : report.skipped) {
    warn(io, "no run of '" + group + "' completed: it is left out");
  }
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, table_search_json(report));
  } else {
    write_table(io, globals, table_search_table(report));
  }
  if (picture) {
    picture->stream() << table_course_svg(report);
    picture->commit();
  }
  return kDone;
}

}  // namespace sextant
