#include "own_evaluator.h"

#include <nlohmann/json.hpp>

#include "command_template.h"
#include "evaluator_settings.h"
#include "metric_sources.h"
#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr int kInterruptedExit = 130;

class OwnEvaluator final : public Evaluator {
 public:
  OwnEvaluator(const EvaluatorSetup& setup, std::string command, std::string must_hold)
      : setup_(setup), name_(std::move(command)), must_hold_(std::move(must_hold)) {
    EvaluatorSettings settings(setup.study.evaluator);
    words_ = CommandTemplate::words(settings.text("args"), setup.study.problem.space, settings.where("args"));
    paths_ = settings.section("json");
    if (const auto first = paths_.extract("")) {
      paths_[setup.study.problem.objectives.front().metric] = first.mapped();
    }
    settings.finish();
    if (!setup.own_command) throw InputError(setup.study.evaluator.at, "commands cannot be run from here");
  }

  EvaluatedTrial run(const SearchTrial& trial) override {
    std::vector<std::string> words = {name_};
    for (std::string& word : words_->fill(setup_.study.problem.space, trial.configuration)) {
      words.push_back(std::move(word));
    }
    OwnAnswer answer = ask_own_command(setup_.own_command, std::move(words), must_hold_);
    if (!answer.problem.empty()) return {.state = TrialState::failed, .message = answer.problem};
    EvaluatedTrial result{.metrics = answer.numbers};
    for (const auto& [metric, path] : paths_) {
      const auto value = number_named(answer.numbers, path);
      if (!value) return missing(metric, " at JSON path '" + path + "'");
      result.metrics[metric] = *value;
    }
    const SearchProblem& problem = setup_.study.problem;
    for (const Objective& objective : problem.objectives) {
      if (!complete(objective.metric, result)) return missing(objective.metric, known(answer.numbers));
    }
    for (const MetricLimit& limit : problem.limits) {
      if (!complete(limit.metric, result)) return missing(limit.metric, known(answer.numbers));
    }
    return result;
  }

 private:
  // cost_usd may come from the study's own expression.
  [[nodiscard]] bool complete(const std::string& metric, EvaluatedTrial& result) const {
    if (metric == "cost_usd" && setup_.study.cost) return true;
    const auto value = number_named(result.metrics, metric);
    if (value) result.metrics[metric] = *value;
    return value.has_value();
  }

  static std::string known(const std::map<std::string, double>& numbers) {
    std::vector<std::string> names;
    for (const auto& [name, value] : numbers) names.push_back(name);
    return "; there are: " + join(names, ", ");
  }

  [[nodiscard]] EvaluatedTrial missing(const std::string& metric, const std::string& where) const {
    return {.state = TrialState::failed,
            .message = "metric '" + metric + "' was not found in the answer of " + name_ + where};
  }

  EvaluatorSetup setup_;
  std::string name_;
  std::string must_hold_;
  std::optional<CommandTemplate> words_;
  std::map<std::string, std::string> paths_;
};

}  // namespace

OwnAnswer ask_own_command(const OwnCommand& own, std::vector<std::string> words,
                          const std::string& must_hold) {
  words.insert(words.end(), {"--json", "--no-provenance"});
  const OwnCommandResult ran = own(words);
  if (ran.exit_code == kInterruptedExit) throw EvaluationInterrupted{};
  if (ran.exit_code != 0) {
    return {.problem = "exit " + std::to_string(ran.exit_code) + ": " + output_end(ran.errors)};
  }
  const std::optional<Json> json = json_of_output(ran.output);
  if (!json) return {.problem = "the answer is no JSON: " + output_end(ran.output)};
  if (json->is_array() && json->size() != 1) {
    return {.problem = "the answer has " + std::to_string(json->size()) + " rows; a trial is one"};
  }
  const Json& answer = json->is_array() ? (*json)[0] : *json;
  const bool broken = !must_hold.empty() && answer.is_object() && answer.contains(must_hold) &&
                      answer[must_hold] == Json(false);
  if (broken) return {.problem = "the answer says: " + must_hold + " = false"};
  return {.numbers = json_numbers(answer)};
}

std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name) {
  for (const std::string& key : {name, name + ".median"}) {
    if (const auto found = numbers.find(key); found != numbers.end()) return found->second;
  }
  return {};
}

std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const std::string& command,
                                              const std::string& must_hold) {
  return std::make_unique<OwnEvaluator>(setup, command, must_hold);
}

}  // namespace sextant
