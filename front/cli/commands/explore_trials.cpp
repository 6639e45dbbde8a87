// sextant explore ask, tell and status: a study whose trials are run outside.
#include <memory>

#include "catalog_option.h"
#include "explore_args.h"
#include "own_program.h"
#include "sextant/cli/run.h"
#include "sextant/report/study_report.h"

namespace sextant::cli::command_explore_trials {
namespace {

int run_ask(ask::AskTrialsQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const auto [study, trials, warnings] =
      ask::ask_trials(question, open_catalog(io, globals), own_program(io, globals));
  for (const std::string& warning : warnings) warn(io, warning);
  write_result(io, globals, report::asked_result(study, trials));
  return trials.empty() ? kInfeasible : kDone;
}

int run_tell(ask::TellTrialQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const auto [study, outcome] = ask::tell_trial(question, open_catalog(io, globals));
  write_result(io, globals, report::study_result(study, outcome, report::StudyTrials::best));
  return kDone;
}

int run_status(ask::StatusQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const std::vector<ask::StudyAnswer> studies = ask::study_status(question, open_catalog(io, globals));
  const ask::StudyAnswer& first = studies.front();
  write_result(io, globals,
               studies.size() > 1
                   ? report::studies_result(studies)
                   : report::study_result(first.study, first.outcome, report::StudyTrials::all));
  return kDone;
}

Command ask_command() {
  const auto args = std::make_shared<ask::AskTrialsQuestion>();
  return {
      .path = "explore ask",
      .wish = Wish::find,
      .summary = "ask for the next configurations, to run them yourself",
      .details = "The trials are yours until 'explore tell' brings their results; asking again gives others.",
      .examples = {"sextant explore ask study.toml --count 2 --json"},
      .options = {required_study_option(args->place),
                  study_place_options(args->place).back(),
                  {.name = "count",
                   .summary = "how many configurations to ask for",
                   .target = &args->count,
                   .value_name = "N",
                   .low = 1,
                   .high = 1000},
                  force_option(args->force)},
      .run = [args](const Io& io, const Globals& globals) { return run_ask(*args, io, globals); }};
}

Command tell_command() {
  const auto args = std::make_shared<ask::TellTrialQuestion>();
  return {
      .path = "explore tell",
      .wish = Wish::find,
      .summary = "tell the result of a trial that 'explore ask' gave",
      .details = "",
      .examples = {"sextant explore tell study.toml 3 loss=0.25 seconds=40",
                   "sextant explore tell study.toml 4 --failed --message 'out of memory'"},
      .options = {required_study_option(args->place),
                  {.name = "TRIAL",
                   .summary = "number of the trial",
                   .target = &args->trial,
                   .positional = true,
                   .required = true},
                  {.name = "METRIC",
                   .summary = "measured values, each metric once, as in loss=0.25",
                   .target = &args->metric,
                   .positional = true},
                  study_place_options(args->place).back(),
                  {.name = "failed", .summary = "the trial failed", .target = &args->failed},
                  {.name = "timed-out",
                   .summary =
                       "the trial was stopped early; a value of the objective is what it had reached by then",
                   .target = &args->timed_out},
                  {.name = "message",
                   .summary = "why the trial failed or was stopped; it is shown with the trial",
                   .target = &args->message,
                   .value_name = "TEXT"}},
      .run = [args](const Io& io, const Globals& globals) { return run_tell(*args, io, globals); }};
}

Command status_command() {
  const auto args = std::make_shared<ask::StatusQuestion>();
  Option study = required_study_option(args->place);
  study.summary = "study file (TOML), or a store: an SQLite file or postgresql://user@host/database";
  return {
      .path = "explore status",
      .wish = Wish::find,
      .summary = "show every trial of a study and the best one, without running any",
      .details = "A store needs no study file beside it. Of a store with several studies, all are listed.",
      .examples = {"sextant explore status study.toml", "sextant explore status study.sqlite --name epoch"},
      .options = {std::move(study),
                  study_place_options(args->place).back(),
                  {.name = "name",
                   .summary = "which study of a store that holds several",
                   .target = &args->name,
                   .value_name = "NAME"}},
      .run = [args](const Io& io, const Globals& globals) { return run_status(*args, io, globals); }};
}

}  // namespace

std::vector<Command> plugin() {
  return {ask_command(), tell_command(), status_command()};
}

}  // namespace sextant::cli::command_explore_trials
