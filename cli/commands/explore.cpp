// sextant explore: the best configuration with the fewest runs.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "catalog_option.h"
#include "explore_args.h"
#include "explore_table.h"
#include "interrupt.h"
#include "output_file.h"
#include "own_program.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/report/search_course.h"
#include "sextant/report/study_report.h"

namespace sextant {
namespace {

using std::chrono::milliseconds;

constexpr auto kAskedFor = std::chrono::hours(24 * 365);  // somebody outside may take long

std::string worker_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto began = std::chrono::system_clock::now().time_since_epoch();
  return std::string(host.data()) + ":" + std::to_string(::getpid()) + ":" +
         std::to_string(std::chrono::duration_cast<milliseconds>(began).count());
}

StudyRunOptions run_options(const std::string& location, const StudySpec& study, OwnProgram own) {
  StudyRunOptions options;
  options.worker = worker_name();
  options.own = std::move(own);
  options.scratch = runs_folder(location, study);
  options.location = location;
  return options;
}

enum class Shown { best, every_trial };

struct StudyResult {
  const StudySpec& study;
  const StudyOutcome& outcome;
};

void write_outcome(const Io& io, const Globals& globals, const StudyResult& result, Shown shown) {
  const auto& [study, outcome] = result;
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, study_json(study, outcome));
  } else {
    write_table(io, globals,
                shown == Shown::every_trial ? study_trials_table(study, outcome)
                                            : study_result_table(study, outcome));
  }
}

// A place where nothing can be written is known before the first trial.
class CoursePicture {
 public:
  explicit CoursePicture(const std::optional<std::string>& path) {
    if (path) file_.emplace(*path);
  }
  void draw(const Io& io, const StudyResult& result) {
    if (!file_) return;
    if (!result.outcome.best) {
      warn(io, "no picture: no trial has completed within the limits");
      return;
    }
    file_->stream() << study_course_svg(result.study, result.outcome);
    file_->commit();
  }

 private:
  std::optional<OutputFile> file_;
};

StudySpec seeded(StudySpec study, const Globals& globals) {
  if (globals.seed != 0) study.seed = static_cast<std::uint64_t>(globals.seed);
  return study;
}

int exit_code(const StudyOutcome& outcome) {
  if (outcome.end == StudyEnd::interrupted) return kInterrupted;
  return outcome.best ? kDone : kInfeasible;
}

// Everything is checked that can be without a run.
int check_only(const ExploreArgs& args, const StudySpec& study, const Io& io, const Globals& globals) {
  const std::string location = store_location(args.place);
  const StudyRunOptions options = run_options(location, study, own_program(io, globals));
  CoursePicture picture(args.plot);
  if (!study.evaluator.kind.empty()) {
    (void)evaluators()
        .get(study.evaluator.kind)
        .make({.study = study, .own = options.own, .scratch = options.scratch});
  }
  StudyOutcome outcome;
  const bool there = location.find("://") != std::string::npos || std::filesystem::exists(location);
  if (there) {
    const auto store = open_study_store(location, {.create = false});
    for (const StudyHeader& header : store->studies()) {
      if (header.name != study.name) continue;
      store->open_study({study.name, study.text, study_identity(study)});
      outcome = study_outcome(study, *store);
    }
  }
  write_outcome(io, globals, {study, outcome}, Shown::every_trial);
  picture.draw(io, {study, outcome});
  return kDone;
}

int run_explore(const ExploreArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  const StudySpec study = seeded(study_of_args(args, catalog), globals);
  if (args.no_run) return check_only(args, study, io, globals);
  const std::string location = store_location(args.place);
  CoursePicture picture(args.plot);
  const auto store = open_study_store(location);
  const Interrupt interrupt(Interrupt::Second::is_told);
  StudyRunOptions options = run_options(location, study, own_program(io, globals));
  options.force = args.force;
  options.interrupted = [&] { return interrupt.asked(); };
  options.abandon = [&] { return interrupt.asked_again(); };
  options.finished = [&](const StoredTrial& trial, const StudyOutcome& outcome) {
    io.err << trial_line(study, trial, outcome) << std::endl;
  };
  NoProgress lines_are_shown;
  const StudyOutcome outcome = run_study(study, *store, options, lines_are_shown);
  write_outcome(io, globals, {study, outcome}, args.all ? Shown::every_trial : Shown::best);
  picture.draw(io, {study, outcome});
  return exit_code(outcome);
}

struct AskArgs {
  StudyPlaceArgs place;
  std::int64_t count = 1;
};

StudySpec named_study(const StudyPlaceArgs& place, const Io& io, const Globals& globals) {
  return seeded(read_study_file(place.study.value_or(""), open_catalog(io, globals)), globals);
}

int run_ask(const AskArgs& args, const Io& io, const Globals& globals) {
  const StudySpec study = named_study(args.place, io, globals);
  const std::string location = store_location(args.place);
  const auto store = open_study_store(location, {.claim_lasts = kAskedFor});
  const AskedTrials asked = ask_trials(study, *store, run_options(location, study, own_program(io, globals)),
                                       static_cast<std::size_t>(args.count));
  if (asked.end != StudyEnd::not_yet) warn(io, "no further trial: " + end_text(asked.end));
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, asked_json(study, asked.trials));
  } else {
    write_table(io, globals, asked_table(study, asked.trials));
  }
  return asked.trials.empty() ? kInfeasible : kDone;
}

struct TellArgs {
  StudyPlaceArgs place;
  std::int64_t trial = 0;
  std::vector<std::string> values;
  bool failed = false;
  bool timed_out = false;
  std::optional<std::string> message;
};

EvaluatedTrial told(const TellArgs& args) {
  if (args.failed && args.timed_out) throw InputError({"--failed"}, "a trial failed or timed out, not both");
  EvaluatedTrial result;
  if (args.failed) result.state = TrialState::failed;
  if (args.timed_out) result.state = TrialState::timed_out;
  result.message = args.message.value_or("");
  for (const std::string& text : args.values) {
    const std::size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : to_number(text.substr(equals + 1));
    if (!value || equals == 0) {
      throw InputError({"METRIC"}, "'" + text + "' is no metric", "as in loss=0.25");
    }
    result.metrics[text.substr(0, equals)] = *value;
  }
  return result;
}

int run_tell(const TellArgs& args, const Io& io, const Globals& globals) {
  const StudySpec study = named_study(args.place, io, globals);
  const auto store = open_study_store(store_location(args.place), {.create = true});
  EvaluatedTrial result = told(args);
  const Objective& first = study.problem.objectives.front();
  const auto reached = result.metrics.find(first.metric);
  if (args.timed_out && reached != result.metrics.end()) result.bound = reached->second;
  (void)tell_trial(study, *store, args.trial, result);
  StudyOutcome outcome = study_outcome(study, *store);
  write_outcome(io, globals, {study, outcome}, Shown::best);
  return kDone;
}

int run_status(const StudyPlaceArgs& args, const Io& io, const Globals& globals) {
  const StudySpec study = named_study(args, io, globals);
  const auto store = open_study_store(store_location(args), {.create = false});
  store->open_study({study.name, study.text, study_identity(study)});
  write_outcome(io, globals, {study, study_outcome(study, *store)}, Shown::every_trial);
  return kDone;
}

Option study_option(StudyPlaceArgs& place) {
  Option option = study_place_options(place).front();
  option.required = true;
  return option;
}

Command ask_command() {
  const auto args = std::make_shared<AskArgs>();
  return {
      .path = "explore ask",
      .summary = "the next configurations to run, for a loop of your own",
      .details = "The trials are yours until 'explore tell' brings their results; asking again gives others.",
      .examples = {"sextant explore ask study.toml --count 2 --json"},
      .options = {study_option(args->place),
                  study_place_options(args->place).back(),
                  {.name = "count",
                   .summary = "how many",
                   .target = &args->count,
                   .value_name = "N",
                   .low = 1,
                   .high = 1000}},
      .run = [args](const Io& io, const Globals& globals) { return run_ask(*args, io, globals); }};
}

Command tell_command() {
  const auto args = std::make_shared<TellArgs>();
  return {.path = "explore tell",
          .summary = "the result of a trial that 'explore ask' gave",
          .details = "",
          .examples = {"sextant explore tell study.toml 3 loss=0.25 seconds=40",
                       "sextant explore tell study.toml 4 --failed --message 'out of memory'"},
          .options = {study_option(args->place),
                      {.name = "TRIAL",
                       .summary = "number of the trial",
                       .target = &args->trial,
                       .positional = true,
                       .required = true},
                      {.name = "METRIC",
                       .summary = "metrics, as in loss=0.25",
                       .target = &args->values,
                       .positional = true},
                      study_place_options(args->place).back(),
                      {.name = "failed", .summary = "it failed", .target = &args->failed},
                      {.name = "timed-out",
                       .summary = "it was stopped; a value of the objective is how far it had come",
                       .target = &args->timed_out},
                      {.name = "message",
                       .summary = "why, for people",
                       .target = &args->message,
                       .value_name = "TEXT"}},
          .run = [args](const Io& io, const Globals& globals) { return run_tell(*args, io, globals); }};
}

Command status_command() {
  const auto args = std::make_shared<StudyPlaceArgs>();
  return {.path = "explore status",
          .summary = "every trial of a study and the best, without running any",
          .details = "",
          .examples = {"sextant explore status study.toml"},
          .options = {study_option(*args), study_place_options(*args).back()},
          .run = [args](const Io& io, const Globals& globals) { return run_status(*args, io, globals); }};
}

}  // namespace

std::vector<Command> command_explore() {
  const auto args = std::make_shared<ExploreArgs>();
  const auto table = std::make_shared<TableArgs>();
  std::vector<Option> options = explore_options(*args);
  std::ranges::copy(table_search_options(*table), std::back_inserter(options));
  return {
      {.path = "explore",
       .summary = "the best configuration with the fewest runs",
       .details = "Runs trials of a study until its budget is spent or its strategy expects nothing of more. "
                  "The same command goes\non where an earlier one ended, however it ended; several may work "
                  "on one study. Ctrl-C ends after the trials\nin hand, a second one gives them back. Exit "
                  "code 3: no trial completed within the limits.\nWith --table, strategies are compared on "
                  "recorded runs: each group is searched anew with every seed.",
       .examples = {"sextant explore study.toml --workers 2",
                    "sextant explore study.toml --store postgresql://lab@db/studies",
                    "sextant explore --run './train.sh {batch} {workers}' --factor batch=16,32,64 --factor "
                    "workers=1..8 --metric 'loss: ([0-9.]+)' --minimise loss --trials 20",
                    "sextant explore --table runs.csv --group case --config vm_type,vm_count --features "
                    "vcpus,memory_gib,vm_count --objective cost_usd --strategy sextant,random"},
       .options = std::move(options),
       .run =
           [args, table](const Io& io, const Globals& globals) {
             if (!table->table) {
               refuse_table_options(*table);
               return run_explore(*args, io, globals);
             }
             table->strategies = args->strategy;
             table->trials = args->trials.value_or(table->trials);
             table->plot = args->plot;
             return run_table_search(*table, io, globals);
           }},
      ask_command(),
      tell_command(),
      status_command()};
}

}  // namespace sextant
