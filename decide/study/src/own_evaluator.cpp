#include "own_evaluator.h"

#include <nlohmann/json.hpp>
#include <thread>

#include "awaited_run.h"
#include "command_template.h"
#include "evaluator_settings.h"
#include "metric_sources.h"
#include "own_process.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

constexpr int kInterruptedExit = 130;
constexpr auto kPatience = std::chrono::seconds(10);  // with who has to end others first
constexpr auto kLookAgain = std::chrono::milliseconds(20);

std::vector<std::string> with_format(std::vector<std::string> words) {
  words.insert(words.end(), {"--json", "--no-provenance"});
  return words;
}

// Of a command that ended well.
OwnAnswer read_answer(const std::string& output, const std::string& must_hold) {
  const std::optional<Json> json = json_of_output(output);
  if (!json) return {.problem = "the answer is no JSON: " + output_end(output)};
  if (json->is_array() && json->size() != 1) {
    return {.problem = "the answer has " + std::to_string(json->size()) + " rows; a trial is one"};
  }
  const Json& answer = json->is_array() ? (*json)[0] : *json;
  const bool broken = !must_hold.empty() && answer.is_object() && answer.contains(must_hold) &&
                      answer[must_hold] == Json(false);
  if (broken) return {.problem = "the answer says: " + must_hold + " = false"};
  return {.numbers = json_numbers(answer)};
}

class OwnEvaluator final : public Evaluator {
 public:
  OwnEvaluator(const EvaluatorSetup& setup, OwnUse use)
      : setup_(setup), use_(std::move(use)), apart_(!use_.quick || setup.study.timeout_s) {
    EvaluatorSettings settings(setup.study.evaluator);
    words_ = CommandTemplate::words(settings.text("args"), setup.study.problem.space, settings.where("args"));
    paths_ = settings.section("json");
    if (const auto first = paths_.extract("")) {
      paths_[setup.study.problem.objectives.front().metric] = first.mapped();
    }
    settings.finish();
    const bool possible = apart_ ? !setup.own.start.empty() : static_cast<bool>(setup.own.within);
    if (!possible) throw InputError(setup.study.evaluator.at, "commands cannot be run from here");
  }

  explore::TrialOutcome run(const explore::Trial& trial) override {
    std::vector<std::string> words = {use_.command};
    for (std::string& word : words_->fill(setup_.study.problem.space, trial.configuration)) {
      words.push_back(std::move(word));
    }
    if (apart_) return run_apart(with_format(std::move(words)));
    return judged(ask_own_command(setup_.own.within, std::move(words), use_.must_hold),
                  {.state = explore::TrialState::completed});
  }

 private:
  explore::TrialOutcome run_apart(const std::vector<std::string>& words) const {
    const std::unique_lock<std::mutex> turn = take_turn();
    std::vector<std::string> command = setup_.own.start;
    command.insert(command.end(), words.begin(), words.end());
    OwnProcess process(command, use_.alone ? kPatience : std::chrono::seconds(0));
    explore::TrialOutcome result = await_run(process, setup_);
    const bool failed = result.state == explore::TrialState::failed;
    if (failed && result.message.starts_with(measure::exit_text(kInterruptedExit)))
      throw EvaluationInterrupted{};
    if (result.state != explore::TrialState::completed) return result;
    return judged(read_answer(read_text_file(process.answer().string()), use_.must_hold), std::move(result));
  }

  // Time spent waiting for one is not the trial's.
  [[nodiscard]] std::unique_lock<std::mutex> take_turn() const {
    std::unique_lock<std::mutex> turn(*setup_.own.machine, std::defer_lock);
    while (use_.alone && !turn.try_lock()) {
      if (setup_.interrupted && setup_.interrupted()) throw EvaluationInterrupted{};
      std::this_thread::sleep_for(kLookAgain);
    }
    return turn;
  }

  [[nodiscard]] explore::TrialOutcome judged(const OwnAnswer& answer, explore::TrialOutcome result) const {
    if (!answer.problem.empty()) return {.state = explore::TrialState::failed, .message = answer.problem};
    for (const auto& [name, value] : answer.numbers) result.metrics[name] = value;
    for (const auto& [metric, path] : paths_) {
      const auto value = number_named(answer.numbers, path);
      if (!value) return missing(metric, " at JSON path '" + path + "'");
      result.metrics[metric] = *value;
    }
    const explore::SearchProblem& problem = setup_.study.problem;
    for (const explore::Objective& objective : problem.objectives) {
      if (!complete(objective.metric, result)) return missing(objective.metric, known(answer.numbers));
    }
    for (const explore::MetricLimit& limit : problem.limits) {
      if (!complete(limit.metric, result)) return missing(limit.metric, known(answer.numbers));
    }
    return result;
  }

  // cost_usd may come from the study's own expression.
  [[nodiscard]] bool complete(const std::string& metric, explore::TrialOutcome& result) const {
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

  [[nodiscard]] explore::TrialOutcome missing(const std::string& metric, const std::string& where) const {
    return {.state = explore::TrialState::failed,
            .message = "metric '" + metric + "' was not found in the answer of " + use_.command + where};
  }

  EvaluatorSetup setup_;
  OwnUse use_;
  bool apart_;  // as a process of its own
  std::optional<CommandTemplate> words_;
  std::map<std::string, std::string> paths_;
};

}  // namespace

OwnAnswer ask_own_command(const OwnCommand& own, std::vector<std::string> words,
                          const std::string& must_hold) {
  const OwnCommandResult ran = own(with_format(std::move(words)));
  if (ran.exit_code == kInterruptedExit) throw EvaluationInterrupted{};
  if (ran.exit_code != 0) {
    return {.problem = "exit " + std::to_string(ran.exit_code) + ": " + output_end(ran.errors)};
  }
  return read_answer(ran.output, must_hold);
}

std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name) {
  for (const std::string& key : {name, name + ".median"}) {
    if (const auto found = numbers.find(key); found != numbers.end()) return found->second;
  }
  return {};
}

std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const OwnUse& use) {
  return std::make_unique<OwnEvaluator>(setup, use);
}

}  // namespace sextant::study
