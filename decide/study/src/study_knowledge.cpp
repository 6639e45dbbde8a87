#include "study_knowledge.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>

#include "command_template.h"
#include "own_evaluator.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

// Answers of predict by configuration; absent factors as -infinity, since NaN has no place in an order.
struct KnownAnswers {
  std::mutex mutex;
  std::map<std::vector<double>, std::optional<explore::PriorBelief>> beliefs;
};

std::optional<double> predicted(const std::map<std::string, double>& numbers,
                                const explore::Objective& objective) {
  if (const auto value = number_named(numbers, objective.metric)) return value;
  const auto step = number_named(numbers, "iteration_s");
  return step && objective.maximise ? 1 / *step : step;
}

// Half of predict's 90 % interval, in standard deviations of the logarithm.
double log_sd(const std::map<std::string, double>& numbers) {
  constexpr double kDeviations = 1.645;
  const auto low = number_named(numbers, "low_s");
  const auto high = number_named(numbers, "high_s");
  const bool known = low && high && *low > 0 && *high > *low && std::isfinite(*high);
  return known ? std::log(*high / *low) / (2 * kDeviations) : explore::PriorBelief{}.log_sd;
}

std::optional<explore::PriorBelief> believed(const OwnNumbers& answer, const explore::Objective& objective) {
  if (!answer.problem.empty()) return {};
  const auto value = predicted(answer.values, objective);
  if (!value || !std::isfinite(*value) || *value <= 0) return {};
  return explore::PriorBelief{.value = *value, .log_sd = log_sd(answer.values)};
}

// One configuration may be impossible; where predict refuses all that are tried, the question is wrong.
void check_question(const explore::SearchSpace& space,
                    const std::function<OwnNumbers(const explore::Configuration&)>& ask) {
  constexpr int kTried = 10;
  Rng rng = Rng(0).stream("prior-check");
  std::string problem;
  for (int i = 0; i < kTried; ++i) {
    problem = ask(space.draw(rng)).problem;
    if (!problem.starts_with("exit ")) return;
  }
  throw InputError({"prior"}, "predict refuses the question: " + problem);
}

std::vector<std::string> factor_names(const std::string& identity) {
  constexpr std::string_view kFactor = "factor ";
  std::vector<std::string> names;
  for (const std::string& line : split(identity, '\n')) {
    if (!line.starts_with(kFactor)) continue;
    names.push_back(line.substr(kFactor.size(), line.find(':') - kFactor.size()));
  }
  return names;
}

// The trial's texts in the order of this study's factors; empty where one is not known.
std::vector<std::string> reordered(const StoredTrial& trial, const std::vector<std::string>& names,
                                   const explore::SearchSpace& space) {
  std::vector<std::string> texts;
  for (const explore::SearchFactor& factor : space.factors()) {
    const auto found = std::ranges::find(names, factor.name);
    const auto at = static_cast<std::size_t>(found - names.begin());
    if (found == names.end() || at >= trial.levels.size()) return {};
    texts.push_back(trial.levels[at]);
  }
  return texts;
}

explore::PastStudy read_past(StudyStore& store, const StudyHeader& header,
                             const explore::SearchSpace& space) {
  store.open_study(header);
  const std::vector<std::string> names = factor_names(header.identity);
  std::vector<StoredTrial> fitting;
  for (StoredTrial trial : store.trials()) {
    trial.levels = reordered(trial, names, space);
    if (!trial.levels.empty() && trial.outcome.state != explore::TrialState::running)
      fitting.push_back(std::move(trial));
  }
  return {header.name, search_trials(space, fitting)};
}

}  // namespace

explore::Prior prior_of(const StudySpec& study, const OwnCommand& own_command) {
  if (!study.prior || !own_command) return {};
  const auto words =
      std::make_shared<CommandTemplate>(CommandTemplate::words(*study.prior, study.problem.space, {"prior"}));
  const auto known = std::make_shared<KnownAnswers>();
  const explore::Objective objective = study.problem.objectives.front();
  const explore::SearchSpace* space = &study.problem.space;
  const auto asked = [=](const explore::Configuration& configuration) {
    std::vector<std::string> ask = {"predict"};
    for (std::string& word : words->fill(*space, configuration)) ask.push_back(std::move(word));
    return numbers_of(own_command(ask, {}), "fits");
  };
  check_question(*space, asked);
  return [=](const explore::Configuration& configuration) -> std::optional<explore::PriorBelief> {
    std::vector<double> key = configuration.values;
    for (double& value : key) {
      if (std::isnan(value)) value = -std::numeric_limits<double>::infinity();
    }
    const std::lock_guard lock(known->mutex);
    const auto [place, fresh] = known->beliefs.try_emplace(key);
    if (fresh) place->second = believed(asked(configuration), objective);
    return place->second;
  };
}

std::vector<explore::PastStudy> past_studies(const StudySpec& study, const std::string& location) {
  std::vector<explore::PastStudy> all;
  for (const std::string& text : study.past) {
    const std::size_t hash = text.rfind('#');
    const std::string before = text.substr(0, hash);
    const bool elsewhere = hash != std::string::npos || before.find("://") != std::string::npos ||
                           std::filesystem::exists(std::filesystem::path(study.evaluator.folder) / before);
    const std::string name = hash != std::string::npos ? text.substr(hash + 1) : elsewhere ? "" : text;
    const std::string file = before.find("://") != std::string::npos
                                 ? before
                                 : (std::filesystem::path(study.evaluator.folder) / before).string();
    const auto store = open_study_store(elsewhere ? file : location, {.create = false});
    std::vector<std::string> names;
    bool found = false;
    for (const StudyHeader& header : store->studies()) {
      names.push_back(header.name);
      if ((!name.empty() && header.name != name) || (!elsewhere && header.name == study.name)) continue;
      found = true;
      all.push_back(read_past(*store, header, study.problem.space));
    }
    if (!found) {
      throw InputError({"past"}, "there is no study '" + shown_address(text) + "' to learn from",
                       name_hint(name, names));
    }
  }
  return all;
}

}  // namespace sextant::study
