#include "explore_args.h"

#include "kinds.h"

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

namespace {

// Instead of a study file.
std::vector<Option> inline_study_options(ask::InlineStudy& given) {
  return {{.name = "run",
           .summary = "command of a trial, with {factor} in it, instead of a study file",
           .target = &given.run,
           .value_name = "COMMAND"},
          {.name = "shell",
           .summary = "the command is a line for a shell; values are quoted",
           .target = &given.shell},
          {.name = "factor",
           .summary = "what can be chosen: batch=16,32,64 or workers=1..8 or rate=1e-5..0.1:log",
           .target = &given.factor,
           .value_name = "NAME=LEVELS",
           .whole = true},
          {.name = "constraint",
           .summary = "what must hold of a configuration: 'batch * workers <= 512'",
           .target = &given.constraint,
           .value_name = "EXPRESSION",
           .whole = true},
          {.name = "metric",
           .summary = "where the first objective stands in the output: a regular expression",
           .target = &given.metric,
           .value_name = "REGEX"},
          {.name = "minimise",
           .summary = "metric to minimise (default: seconds that the command takes)",
           .target = &given.minimise,
           .value_name = "METRIC"},
          {.name = "maximise",
           .summary = "metric to maximise",
           .target = &given.maximise,
           .value_name = "METRIC"},
          {.name = "limit",
           .summary = "what must hold of a metric: 'seconds <= 60'",
           .target = &given.limit,
           .value_name = "LIMIT",
           .whole = true},
          {.name = "cost",
           .summary = "dollars of a trial, an expression over factors, metrics and seconds",
           .target = &given.cost,
           .value_name = "EXPRESSION"},
          {.name = "timeout",
           .summary = "stop a trial after this",
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
       .summary = "at most so many trials in all",
       .target = &q.trials,
       .value_name = "N",
       .low = 1,
       .high = 1e6},
      {.name = "workers",
       .summary = "trials at a time",
       .target = &q.workers,
       .value_name = "N",
       .low = 1,
       .high = 1024},
      {.name = "no-run",
       .summary = "check the study and show what stands, run nothing",
       .target = &args.no_run},
      {.name = "all", .summary = "show every trial, not only the best", .target = &args.all},
      {.name = "plot",
       .summary = "a picture of the best after each trial",
       .target = &args.plot,
       .value_name = "FILE.svg",
       .writes = Writes::file},
      {.name = "force",
       .summary = "go on with the trials of a study that was changed since",
       .target = &q.force}};
  options.insert(options.end(), more.begin(), more.end());
  const std::vector<Option> instead = grouped("A study without a file", inline_study_options(q.inline_study));
  options.insert(options.end(), instead.begin(), instead.end());
  return options;
}

}  // namespace sextant::cli
