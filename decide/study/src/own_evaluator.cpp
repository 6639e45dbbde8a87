#include "own_evaluator.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "awaited_run.h"
#include "command_template.h"
#include "evaluator_settings.h"
#include "metric_sources.h"
#include "own_process.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/measure/clock.h"

namespace sextant::study {
namespace {

constexpr int kInterruptedExit = 130;
constexpr auto kPatience = std::chrono::seconds(10);  // with who has to end others first
constexpr auto kLookAgain = std::chrono::milliseconds(20);

OwnNumbers only_row(const std::vector<OwnAnswer::Row>& rows, const std::string& must_hold) {
  if (rows.size() != 1) {
    return {.problem = "the answer has " + std::to_string(rows.size()) + " rows; a trial is one"};
  }
  const auto held = rows.front().truths.find(must_hold);
  if (held != rows.front().truths.end() && !held->second) {
    return {.problem = "the answer says: " + must_hold + " = false"};
  }
  return {.values = rows.front().numbers};
}

// A result is an object whose first list of objects is the answer; others are a list, or the only row.
const Json& answer_in(const Json& json) {
  if (!json.is_object() || !json.contains("schema")) return json;
  for (const auto& [name, value] : json.items()) {
    if (value.is_array() && !value.empty() && value.front().is_object()) return value;
  }
  return json;
}

OwnAnswer::Row row_of(const Json& json) {
  OwnAnswer::Row row{.numbers = json_numbers(json)};
  if (!json.is_object()) return row;
  for (const auto& [name, value] : json.items()) {
    if (value.is_boolean()) row.truths[name] = value.get<bool>();
  }
  return row;
}

// Of a process that ended well.
OwnNumbers read_answer(const std::string& output, const std::string& must_hold) {
  const std::optional<Json> json = json_of_output(output);
  if (!json) return {.problem = "the answer is no JSON: " + output_end(output)};
  const Json& answer = answer_in(*json);
  std::vector<OwnAnswer::Row> rows;
  if (answer.is_array()) {
    for (const Json& one : answer) rows.push_back(row_of(one));
  } else {
    rows.push_back(row_of(answer));
  }
  return only_row(rows, must_hold);
}

class OwnEvaluator final : public Evaluator {
 public:
  OwnEvaluator(const EvaluatorSetup& setup, OwnUse use)
      : setup_(setup), use_(std::move(use)), apart_(!use_.within || setup.study.timeout_s) {
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
    return apart_ ? run_apart(words) : run_within(words);
  }

 private:
  [[nodiscard]] explore::TrialOutcome run_within(const std::vector<std::string>& words) const {
    const std::int64_t began = measure::monotonic_ns();
    const OwnNumbers numbers = numbers_of(setup_.own.within(words, setup_.interrupted), use_.must_hold);
    const double seconds = measure::seconds_since(began);
    explore::TrialOutcome result{.state = explore::TrialState::completed};
    if (!use_.quick) result.metrics["seconds"] = seconds;
    return judged(numbers, std::move(result));
  }

  [[nodiscard]] explore::TrialOutcome run_apart(const std::vector<std::string>& words) const {
    const std::unique_lock<std::mutex> turn = take_turn();
    std::vector<std::string> command = setup_.own.start;
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--json", "--no-provenance"});
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

  [[nodiscard]] explore::TrialOutcome judged(const OwnNumbers& answer, explore::TrialOutcome result) const {
    if (!answer.problem.empty()) return {.state = explore::TrialState::failed, .message = answer.problem};
    for (const auto& [name, value] : answer.values) result.metrics[name] = value;
    for (const auto& [metric, path] : paths_) {
      const auto value = number_named(answer.values, path);
      if (!value) return missing(metric, " at JSON path '" + path + "'");
      result.metrics[metric] = *value;
    }
    const explore::SearchProblem& problem = setup_.study.problem;
    for (const explore::Objective& objective : problem.objectives) {
      if (!complete(objective.metric, result)) return missing(objective.metric, known(answer.values));
    }
    for (const explore::MetricLimit& limit : problem.limits) {
      if (!complete(limit.metric, result)) return missing(limit.metric, known(answer.values));
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

OwnNumbers numbers_of(const OwnAnswer& answer, const std::string& must_hold) {
  if (answer.exit_code == kInterruptedExit) throw EvaluationInterrupted{};
  if (answer.exit_code != 0) {
    return {.problem = "exit " + std::to_string(answer.exit_code) + ": " + output_end(answer.errors)};
  }
  return only_row(answer.rows, must_hold);
}

std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const OwnUse& use) {
  return std::make_unique<OwnEvaluator>(setup, use);
}

}  // namespace sextant::study
