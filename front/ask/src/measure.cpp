#include "sextant/ask/measure.h"

#include "known_text.h"
#include "measure_effects.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/shell_words.h"

namespace sextant::ask {
namespace {

measure::CampaignOptions campaign_options(const MeasureQuestion& question,
                                          const std::function<bool()>& interrupted) {
  measure::CampaignOptions options;
  options.supervise.runner = question.runner;
  if (question.scratch) options.supervise.scratch = *question.scratch;
  if (question.wrapper)
    options.supervise.wrapper = measure::split_shell_words(*question.wrapper, at_field("wrapper"));
  options.supervise.keep = question.keep;
  if (interrupted) options.supervise.interrupted = interrupted;
  options.precision = question.precision;
  options.budget_s = parse_seconds(question.budget, at_field("budget")).value;
  options.least_rounds = question.effects ? std::max<std::int64_t>(question.rounds, 3) : question.rounds;
  options.seed = question.seed;
  return options;
}

// Several trials would have to share one file, and an analysis of it would mix them up.
void check_spans(const MeasureQuestion& question, const std::vector<measure::Trial>& trials) {
  if (question.spans && trials.size() != 1) {
    throw InputError(
        at_field("spans"),
        "spans are written for one configuration, and there are " + std::to_string(trials.size()),
        "give one value to each option");
  }
}

std::string loss_text(const measure::Failure& failure, const measure::Trial& trial) {
  const bool server = failure.rank >= trial.workers;
  std::string text = server ? "server " + std::to_string(failure.rank - trial.workers)
                            : "worker " + std::to_string(failure.rank);
  text += " was lost after iteration " + std::to_string(failure.iteration) + " (" + failure.what +
          "); that was noticed after " + human(Seconds{failure.noticed_s});
  text += failure.resumed_from < 0
              ? ", and training stopped"
              : ", training went on from iteration " + std::to_string(failure.resumed_from);
  return text;
}

std::vector<std::string> campaign_warnings(const std::vector<measure::TrialResult>& results) {
  std::vector<std::string> warnings;
  for (const measure::TrialResult& result : results) {
    const std::string name = result.trial.job.net + ", " + result.trial.strategy + ": ";
    for (const measure::Failure& failure : result.last.outcome.failures) {
      warnings.push_back(name + loss_text(failure, result.trial));
    }
    for (const std::string& line : result.warnings) warnings.push_back(name + line);
  }
  return warnings;
}

}  // namespace

MeasureAnswer measure(const MeasureQuestion& question, Progress& progress,
                      const std::function<bool()>& interrupted) {
  const std::vector<measure::Trial> trials = measure_trials(question);
  check_spans(question, trials);
  refuse_unknown(question.response, {"iteration", "throughput"}, at_field("response"));
  if (question.effects) two_level_design(question);
  MeasureAnswer answer{.campaign = run_campaign(trials, campaign_options(question, interrupted), progress)};
  answer.warnings = campaign_warnings(answer.campaign.results);
  for (const measure::TrialResult& result : answer.campaign.results) {
    if (result.last.spans.spans.empty()) continue;
    answer.spans = result.last.spans;
    if (result.rounds > 1) {
      answer.warnings.push_back("the spans are those of the last of " + std::to_string(result.rounds) +
                                " rounds, its warm-up included");
    }
  }
  return answer;
}

}  // namespace sextant::ask
