#include "sextant/ask/explore.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>

#include "sextant/core/secrets.h"
#include "sextant/core/text.h"
#include "study_question.h"
#include "study_runs.h"

namespace sextant::ask {
namespace {

constexpr auto kAskedFor = std::chrono::hours(24 * 365);  // somebody outside may take long

std::string worker_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto began = std::chrono::system_clock::now().time_since_epoch();
  return std::string(host.data()) + ":" + std::to_string(::getpid()) + ":" +
         std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(began).count());
}

study::StudyRunOptions study_run_options(const std::string& location, const study::StudySpec& study,
                                         const study::OwnProgram& own) {
  study::StudyRunOptions options;
  options.worker = worker_name();
  options.own = own;
  options.scratch = runs_folder(location, study);
  options.location = location;
  return options;
}

study::StudyHeader header_of(const study::StudySpec& study) {
  return {study.name, study.text, study_identity(study)};
}

// What stands in the store; nothing where there is none yet.
study::StudyOutcome outcome_so_far(const study::StudySpec& study, const std::string& location) {
  const bool there = location.find("://") != std::string::npos || std::filesystem::exists(location);
  if (!there) return {};
  study::StudyOutcome outcome;
  const auto store = study::open_study_store(location, {.create = false});
  for (const study::StudyHeader& header : store->studies()) {
    if (header.name != study.name) continue;
    store->open_study(header_of(study));
    outcome = study_outcome(study, *store);
  }
  return outcome;
}

// What the store says of its studies: each was kept with the text of its file.
std::vector<StudyAnswer> stored_studies(const std::string& location, const std::optional<std::string>& name,
                                        const catalog::Catalog& catalog) {
  const auto store = study::open_study_store(location, {.create = false});
  std::vector<StudyAnswer> answers;
  std::vector<std::string> names;
  for (const study::StudyHeader& header : store->studies()) {
    names.push_back(header.name);
    if (name && header.name != *name) continue;
    const std::string where = shown_address(location) + " (study " + header.name + ")";
    StudyAnswer& answer =
        answers.emplace_back(StudyAnswer{.study = study::parse_study(header.text, where, catalog)});
    answer.study.name = header.name;
    store->open_study(header);
    answer.outcome = study_outcome(answer.study, *store);
  }
  if (names.empty())
    throw InputError({shown_address(location)}, "the store holds no study", "run sextant explore first");
  if (answers.empty()) {
    throw InputError(at_field("name"), "there is no study '" + *name + "' in " + shown_address(location),
                     name_hint(*name, names));
  }
  return answers;
}

explore::TrialOutcome told_result(const TellTrialQuestion& question) {
  if (question.failed && question.timed_out) {
    throw InputError(at_field("failed"),
                     "`failed` and `timed_out` are both given, and a trial ends in one way");
  }
  explore::TrialOutcome result{.state = explore::TrialState::completed};
  if (question.failed) result.state = explore::TrialState::failed;
  if (question.timed_out) result.state = explore::TrialState::timed_out;
  result.message = question.message.value_or("");
  for (const std::string& text : question.metric) {
    const std::size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : to_number(text.substr(equals + 1));
    if (!value || equals == 0) {
      throw InputError(at_field("metric"), "'" + text + "' is no metric", "as in loss=0.25");
    }
    const std::string name = text.substr(0, equals);
    if (!result.metrics.emplace(name, *value).second) {
      throw InputError(at_field("metric"), "metric '" + name + "' is given twice", "give each metric once");
    }
  }
  return result;
}

}  // namespace

StudyAnswer explore(const ExploreQuestion& question, const catalog::Catalog& catalog, const StudyHooks& hooks,
                    Progress& progress) {
  StudyAnswer answer{.study = study_of(question, catalog)};
  const std::string location = store_location(question.place);
  const auto store = study::open_study_store(location);
  study::StudyRunOptions options = study_run_options(location, answer.study, hooks.own);
  options.force = question.force;
  options.interrupted = hooks.interrupted;
  options.abandon = hooks.abandon;
  if (hooks.started) {
    options.started = [&](const study::StoredTrial& trial) { hooks.started(answer.study, trial); };
  }
  if (hooks.finished) {
    options.finished = [&](const study::StoredTrial& trial, const study::StudyCourse& course) {
      hooks.finished(answer.study, trial, course);
    };
  }
  answer.outcome = run_study(answer.study, *store, options, progress);
  return answer;
}

StudyAnswer check_study(const ExploreQuestion& question, const catalog::Catalog& catalog,
                        const study::OwnProgram& own) {
  StudyAnswer answer{.study = study_of(question, catalog)};
  const std::string location = store_location(question.place);
  const study::EvaluatorSpec& evaluator = answer.study.evaluator;
  if (!evaluator.kind.empty()) {
    (void)study::evaluators()
        .get(evaluator.kind)
        .make({.study = answer.study, .own = own, .scratch = runs_folder(location, answer.study)});
  }
  answer.outcome = outcome_so_far(answer.study, location);
  return answer;
}

std::vector<StudyAnswer> study_status(const StatusQuestion& question, const catalog::Catalog& catalog) {
  const std::string what = question.place.study.value_or("");
  if (is_study_store(what)) return stored_studies(what, question.name, catalog);
  StudyAnswer answer{.study = study_in(question.place, question.seed, catalog)};
  if (question.name && *question.name != answer.study.name) {
    throw InputError(at_field("name"), "the study of " + what + " is '" + answer.study.name + "'",
                     "leave `name` out, or give the store instead of the study file");
  }
  const auto store = study::open_study_store(store_location(question.place), {.create = false});
  store->open_study(header_of(answer.study));
  answer.outcome = study_outcome(answer.study, *store);
  return {std::move(answer)};
}

AskTrialsAnswer ask_trials(const AskTrialsQuestion& question, const catalog::Catalog& catalog,
                           const study::OwnProgram& own) {
  AskTrialsAnswer answer{.study = study_in(question.place, question.seed, catalog)};
  const std::string location = store_location(question.place);
  const auto store = study::open_study_store(location, {.claim_lasts = kAskedFor});
  study::StudyRunOptions options = study_run_options(location, answer.study, own);
  options.force = question.force;
  study::AskedTrials asked =
      study::ask_trials(answer.study, *store, options, static_cast<std::size_t>(question.count));
  answer.trials = std::move(asked.trials);
  if (asked.end != study::StudyEnd::not_yet) {
    answer.warnings.push_back("no further trial: " + end_text(asked.end));
  }
  return answer;
}

StudyAnswer tell_trial(const TellTrialQuestion& question, const catalog::Catalog& catalog) {
  StudyAnswer answer{.study = study_in(question.place, question.seed, catalog)};
  const auto store = study::open_study_store(store_location(question.place), {.create = true});
  explore::TrialOutcome result = told_result(question);
  const explore::Objective& first = answer.study.problem.objectives.front();
  const auto reached = result.metrics.find(first.metric);
  if (question.timed_out && reached != result.metrics.end()) result.bound = reached->second;
  (void)study::tell_trial(answer.study, *store, question.trial, result);
  answer.outcome = study_outcome(answer.study, *store);
  return answer;
}

}  // namespace sextant::ask
