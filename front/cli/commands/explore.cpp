// sextant explore: the best configuration with the fewest runs.
#include "sextant/ask/explore.h"

#include <algorithm>
#include <memory>

#include "catalog_option.h"
#include "explore_args.h"
#include "explore_table.h"
#include "explore_trials.h"
#include "own_program.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/report/study_report.h"

namespace sextant::cli::command_explore {
namespace {

int exit_code(const study::StudyOutcome& outcome) {
  if (outcome.end == study::StudyEnd::interrupted) return kInterrupted;
  return outcome.best ? kDone : kInfeasible;
}

int run_explore(const ExploreArgs& args, const Io& io, const Globals& globals) {
  refuse_no_study(args.question);
  const catalog::Catalog catalog = open_catalog(io, globals);
  ask::ExploreQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  CoursePicture picture(args.plot, io);
  const ask::StudyAnswer answer = args.no_run ? check_study(question, catalog, own_program(io, globals))
                                              : run_trials(question, catalog, io, globals);
  using report::StudyTrials;
  const StudyTrials shown = args.all || args.no_run ? StudyTrials::all : StudyTrials::best;
  write_result(io, globals, report::study_result(answer.study, answer.outcome, shown));
  picture.draw(io, answer);
  return args.no_run ? kDone : exit_code(answer.outcome);
}

int run_table(const ExploreArgs& args, ask::TableSearchQuestion question, const Io& io,
              const Globals& globals) {
  if (args.question.strategy) question.strategy = split(*args.question.strategy, ',');
  question.trials = args.question.trials.value_or(question.trials);
  return run_table_search({.question = std::move(question), .plot = args.plot}, io, globals);
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<ExploreArgs>();
  const auto table = std::make_shared<ask::TableSearchQuestion>();
  std::vector<Option> options = explore_options(*args);
  std::ranges::copy(grouped("Strategies compared on recorded runs", table_search_options(*table)),
                    std::back_inserter(options));
  return {
      {.path = "explore",
       .wish = Wish::find,
       .summary = "find the best configuration with few runs",
       .details = "Runs trials of a study until its budget is spent or its strategy expects no further trial "
                  "to pay. The same command\ngoes on where an earlier one ended, however it ended; several "
                  "processes may work on one study. Ctrl-C ends the\ncommand after the trials that run now; "
                  "a second Ctrl-C stops them and gives them back. Exit code 3 means that no\ntrial "
                  "completed within the limits. With --table, strategies are compared on recorded runs: each "
                  "group is searched\nanew with every seed.",
       .examples = {"sextant explore study.toml --workers 2",
                    "sextant explore study.toml --store postgresql://lab@db/studies",
                    "sextant explore --run './train.sh {batch} {workers}' --factor batch=16,32,64 --factor "
                    "workers=1..8 --metric 'loss: ([0-9.]+)' --minimise loss --trials 20",
                    "sextant explore --table runs.csv --group case --config vm_type,vm_count --features "
                    "vcpus,memory_gib,vm_count --objective cost_usd --strategy sextant,random"},
       .options = std::move(options),
       .run = [args, table](const Io& io, const Globals& globals) {
         if (table->table) return run_table(*args, *table, io, globals);
         refuse_table_options(*table);
         return run_explore(*args, io, globals);
       }}};
}

}  // namespace sextant::cli::command_explore
