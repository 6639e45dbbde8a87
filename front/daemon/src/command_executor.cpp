// A command of the user's carries steps out. It gets the step as one line of JSON on its input, with "ask":
// "do"; after a crash with "ask": "look", to which it answers by its exit code whether the step had been
// done.
#include <nlohmann/json.hpp>

#include "applied_command.h"
#include "books_json.h"
#include "executor.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/measure/shell_words.h"

namespace sextant::daemon {
namespace {

constexpr int kWasDone = 0;
constexpr int kWasNotDone = 3;

Json task_json(const Task& task, const char* ask) {
  Json json = {{"ask", ask}};
  json.update(step_json(task.step));
  const JobOrder& order = task.order;
  if (order.id.empty()) return json;
  if (!order.command.empty()) json["command"] = order.command;
  if (!order.folder.empty()) json["folder"] = order.folder;
  for (const auto& [name, value] : order.environment)
    json["environment"].push_back({{"name", name}, {"value", value}});
  if (task.stretch) {
    json["started_as"] = task.stretch->key;
    json["reference"] = task.stretch->reference;
  }
  return json;
}

std::string first_line(const std::string& text) {
  return std::string(trim(split(trim(text), '\n').front()));
}

class CommandExecutor final : public Executor {
 public:
  explicit CommandExecutor(const ExecutorSetup& setup)
      : words_(measure::split_shell_words(setup.apply, at_field("apply"))), lock_(setup.lock) {
    if (words_.empty()) throw InputError(at_field("apply"), "there is no command");
  }

  StepOutcome carry_out(const Task& task) override {
    const CommandEnd end = run(task, "do");
    if (!end.in_time) return {.done = false, .text = words_[0] + " did not end in time"};
    if (end.code != 0) {
      return {.done = false,
              .text = words_[0] + " ended with exit code " + std::to_string(end.code) + ": " +
                      first_line(end.errors)};
    }
    return {.text = first_line(end.output)};
  }

  Finding look(const Task& task) override {
    const CommandEnd end = run(task, "look");
    if (end.in_time && end.code == kWasDone)
      return {.found = Found::done, .outcome = {.text = first_line(end.output), .adopted = true}};
    if (end.in_time && end.code == kWasNotDone) return {.found = Found::absent};
    return {
        .found = Found::unknown,
        .why = words_[0] + " does not say whether the step was done: exit code " + std::to_string(end.code)};
  }

  [[nodiscard]] std::string shown(const Task& task) const override {
    return measure::shell_line(words_) + " <<< " + measure::shell_quoted(task_json(task, "do").dump());
  }

 private:
  [[nodiscard]] CommandEnd run(const Task& task, const char* ask) const {
    return run_applied({.words = words_, .input = task_json(task, ask).dump() + "\n", .lock = lock_});
  }

  std::vector<std::string> words_;
  int lock_;
};

// Nobody: clients look at the plan and do it themselves.
class NoExecutor final : public Executor {
 public:
  StepOutcome carry_out(const Task&) override { return {}; }
  Finding look(const Task&) override { return {.found = Found::absent}; }
  [[nodiscard]] std::string shown(const Task& task) const override { return step_json(task.step).dump(); }
};

}  // namespace

std::unique_ptr<Executor> make_command_executor(const ExecutorSetup& setup) {
  return std::make_unique<CommandExecutor>(setup);
}

std::unique_ptr<Executor> make_executor(const ExecutorSetup& setup) {
  if (setup.apply.empty()) return std::make_unique<NoExecutor>();
  if (setup.apply == "slurm" || setup.apply.starts_with("slurm:")) return make_slurm_executor(setup);
  return make_command_executor(setup);
}

}  // namespace sextant::daemon
