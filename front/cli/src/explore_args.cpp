#include "explore_args.h"

#include "kinds.h"
#include "sextant/core/error.h"

namespace sextant::cli {

std::vector<Option> study_place_options(ask::StudyPlace& place) {
  return {{.name = "STUDY", .summary = "study file (TOML)", .target = &place.study, .positional = true},
          {.name = "store",
           .summary = "where the study lives: an SQLite file (default: beside the study file), or "
                      "postgresql://user@host/database",
           .target = &place.store,
           .value_name = "PLACE",
           .writes = Writes::place}};
}

Option required_study_option(ask::StudyPlace& place) {
  Option option = study_place_options(place).front();
  option.required = true;
  return option;
}

Option force_option(bool& force) {
  return {.name = "force",
          .summary = "go on with the trials in the store though the study file has changed since",
          .target = &force};
}

void refuse_no_study(const ask::ExploreQuestion& question) {
  const ask::InlineStudy& given = question.inline_study;
  if (question.place.study || given.run || !given.factor.empty()) return;
  throw InputError({"STUDY"}, "no study was named",
                   "name a study file, or give --run and --factor; see 'sextant explore --help'");
}

namespace {

// Instead of a study file.
std::vector<Option> inline_study_options(ask::InlineStudy& given) {
  return {
      {.name = "run",
       .summary = "command that runs one trial, with {factor} in it; instead of a study file",
       .target = &given.run,
       .value_name = "COMMAND",
       .runs = true},
      {.name = "shell",
       .summary = "the command is a line for a shell, which gets values as variables: {factor} is one word",
       .target = &given.shell},
      {.name = "factor",
       .summary = "a factor and its levels: batch=16,32,64 or workers=1..8 or rate=1e-5..0.1:log",
       .target = &given.factor,
       .value_name = "NAME=LEVELS",
       .whole = true},
      {.name = "constraint",
       .summary = "condition that every configuration must meet: 'batch * workers <= 512'",
       .target = &given.constraint,
       .value_name = "EXPRESSION",
       .whole = true},
      {.name = "metric",
       .summary = "regular expression that finds the first objective in the output of a trial",
       .target = &given.metric,
       .value_name = "REGEX"},
      {.name = "minimise",
       .summary = "metric to minimise (default: the seconds that the command takes)",
       .target = &given.minimise,
       .value_name = "METRIC"},
      {.name = "maximise",
       .summary = "metric to maximise",
       .target = &given.maximise,
       .value_name = "METRIC"},
      {.name = "limit",
       .summary = "condition that a trial's metrics must meet to count as an answer: 'seconds <= 60'",
       .target = &given.limit,
       .value_name = "LIMIT",
       .whole = true},
      {.name = "cost",
       .summary = "cost of a trial in dollars: an expression over factors, metrics and seconds",
       .target = &given.cost,
       .value_name = "EXPRESSION"},
      {.name = "timeout",
       .summary = "stop a trial that takes longer than this",
       .target = &given.timeout,
       .value_name = "TIME"}};
}

}  // namespace

std::vector<Option> explore_options(ExploreArgs& args) {
  ask::ExploreQuestion& q = args.question;
  std::vector<Option> options = study_place_options(q.place);
  const std::vector<Option> more = {
      {.name = "strategy",
       .summary = "search strategy, instead of the file's; see 'sextant list search-strategies'",
       .target = &q.strategy,
       .value_name = "S",
       .names = search_strategy_names},
      {.name = "trials",
       .summary = "run at most this many trials in all",
       .target = &q.trials,
       .value_name = "N",
       .low = 1,
       .high = 1e6},
      {.name = "workers",
       .summary = "how many trials run at the same time",
       .target = &q.workers,
       .value_name = "N",
       .low = 1,
       .high = 1024},
      {.name = "no-run",
       .summary = "check the study and show its trials so far; run nothing",
       .target = &args.no_run},
      {.name = "all", .summary = "show every trial, not only the best one", .target = &args.all},
      {.name = "plot",
       .summary = "draw the best result after each trial into this file",
       .target = &args.plot,
       .value_name = "FILE.svg",
       .writes = Writes::picture},
      force_option(q.force)};
  options.insert(options.end(), more.begin(), more.end());
  const std::vector<Option> instead = grouped("A study without a file", inline_study_options(q.inline_study));
  options.insert(options.end(), instead.begin(), instead.end());
  return options;
}

}  // namespace sextant::cli
