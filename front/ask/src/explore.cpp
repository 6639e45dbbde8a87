#include "sextant/ask/explore.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>

#include "sextant/core/text.h"
#include "study_question.h"

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

explore::TrialOutcome told_result(const TellTrialQuestion& question) {
  if (question.failed && question.timed_out) {
    throw InputError(at_field("failed"), "a trial failed or timed out, not both");
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
    result.metrics[text.substr(0, equals)] = *value;
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
  if (hooks.finished) {
    options.finished = [&](const study::StoredTrial& trial, const study::StudyOutcome& outcome) {
      hooks.finished(answer.study, trial, outcome);
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

StudyAnswer study_status(const StatusQuestion& question, const catalog::Catalog& catalog) {
  StudyAnswer answer{.study = study_in(question.place, question.seed, catalog)};
  const auto store = study::open_study_store(store_location(question.place), {.create = false});
  store->open_study(header_of(answer.study));
  answer.outcome = study_outcome(answer.study, *store);
  return answer;
}

AskTrialsAnswer ask_trials(const AskTrialsQuestion& question, const catalog::Catalog& catalog,
                           const study::OwnProgram& own) {
  AskTrialsAnswer answer{.study = study_in(question.place, question.seed, catalog)};
  const std::string location = store_location(question.place);
  const auto store = study::open_study_store(location, {.claim_lasts = kAskedFor});
  study::AskedTrials asked =
      study::ask_trials(answer.study, *store, study_run_options(location, answer.study, own),
                        static_cast<std::size_t>(question.count));
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
