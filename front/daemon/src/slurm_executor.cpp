// Slurm carries steps out: a start is a batch job that is named by the key of its step, a stop is scancel.
// The batch script claims a folder of its step first, so that the command runs once even if the job was
// queued twice, and leaves the exit code there, so that an end is known long after Slurm has forgotten the
// job.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "applied_command.h"
#include "executor.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/whole_file.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/shell_words.h"

namespace sextant::daemon {
namespace {

namespace fs = std::filesystem;
using measure::shell_quoted;

constexpr int kStopTenths = 900;  // for Slurm to clear a job away; it gives processes half a minute

struct SlurmOptions {
  bool cpus = false;   // a GPU is a core: clusters without GPUs
  bool power = false;  // nodes are switched by Slurm's power saving
};

SlurmOptions parse_slurm(const std::string& text) {
  SlurmOptions options;
  if (text == "slurm") return options;
  for (const std::string& word : split(text.substr(std::string_view("slurm:").size()), ',')) {
    if (word == "cpus") {
      options.cpus = true;
    } else if (word == "power") {
      options.power = true;
    } else {
      throw InputError(at_field("apply"), "Slurm has no option '" + word + "' here", "cpus, power");
    }
  }
  return options;
}

std::optional<int> exit_in(const fs::path& folder) {
  int code = 0;
  std::ifstream file(folder / "exit");
  return file >> code ? std::optional(code) : std::nullopt;
}

std::string node_list(const std::vector<NodeShare>& shares) {
  std::vector<std::string> names;
  for (const NodeShare& share : shares) names.push_back(share.node);
  return join(names, ",");
}

std::int32_t most_gpus(const std::vector<NodeShare>& shares) {
  std::int32_t most = 1;
  for (const NodeShare& share : shares) most = std::max(most, share.gpus);
  return most;
}

std::string batch_text(const Task& task, const fs::path& folder) {
  const Step& step = task.step;
  std::string text = "#!/bin/sh\ncd " + shell_quoted(folder.string()) + " || exit 1\n";
  text += "mkdir claim || exit 0\necho \"$SLURM_JOB_ID\" > claim/id\n";
  auto variables = task.order.environment;
  variables["SEXTANT_JOB"] = step.job;
  variables["SEXTANT_STEP"] = step.key;
  variables["SEXTANT_MACHINE"] = step.machine;
  variables["SEXTANT_GPUS"] = std::to_string(step.gpus);
  for (const auto& [name, value] : variables) {
    text += "export ";
    text += name;
    text += "=" + shell_quoted(value) + "\n";
  }
  if (!task.order.folder.empty()) text += "cd " + shell_quoted(task.order.folder) + " || exit 1\n";
  const std::string launcher = step.shares.size() > 1 ? "srun --kill-on-bad-exit=1 --ntasks-per-node=1 " : "";
  const std::string place = shell_quoted(folder.string());
  text += launcher + measure::shell_line(task.order.command) + " > " + place + "/log 2>&1\nstatus=$?\n";
  text +=
      "echo $status > " + place + "/exit.new && mv " + place + "/exit.new " + place + "/exit\nexit $status\n";
  return text;
}

class SlurmExecutor final : public Executor {
 public:
  explicit SlurmExecutor(const ExecutorSetup& setup)
      : options_(parse_slurm(setup.apply)),
        runs_(fs::absolute(setup.state + ".runs")),
        lock_(setup.lock),
        abandoned_(setup.abandoned) {
    for (const char* name : {"sbatch", "scancel", "squeue", "scontrol"}) {
      if (!measure::find_program(name))
        throw SystemError(std::string("Slurm is not installed: there is no ") + name + " on PATH");
    }
    const CommandEnd ping = slurm({"scontrol", "ping"});
    if (ping.code != 0)
      throw SystemError("Slurm's controller does not answer: " + std::string(trim(ping.errors)));
  }

  StepOutcome carry_out(const Task& task) override {
    switch (task.step.kind) {
      case StepKind::start:
        return start(task);
      case StepKind::stop:
        return stop(task);
      case StepKind::node_on:
      case StepKind::node_off:
        return switch_node(task.step);
    }
    return {};
  }

  // A stop and a switch may be done twice; a start is found by its name, or by the claim of its folder.
  Finding look(const Task& task) override {
    if (task.step.kind != StepKind::start) return {.found = Found::absent};
    const fs::path folder = runs_ / task.step.key;
    const CommandEnd queue =
        slurm({"squeue", "--noheader", "--states=all", "--name=" + task.step.key, "--format=%i"});
    const std::string id(trim(split(trim(queue.output), '\n').front()));
    if (queue.code == 0 && to_integer(id)) return found(id);
    std::ifstream claim(folder / "claim" / "id");
    std::string claimed;
    if (claim >> claimed) return found(claimed);
    if (queue.code != 0) return {.found = Found::unknown, .why = "squeue does not answer: " + queue.errors};
    return {.found = Found::absent};
  }

  [[nodiscard]] std::string shown(const Task& task) const override {
    switch (task.step.kind) {
      case StepKind::start:
        return measure::shell_line(sbatch_words(task)) + "  # " + measure::shell_line(task.order.command);
      case StepKind::stop:
        return "scancel " + (task.stretch ? task.stretch->reference : "?") + "  # " + task.step.job;
      case StepKind::node_on:
      case StepKind::node_off:
        return options_.power ? measure::shell_line(power_words(task.step))
                              : "nothing: Slurm keeps its nodes";
    }
    return {};
  }

  std::vector<JobEnding> endings(const std::vector<Task>& running) override {
    if (running.empty()) return {};
    const CommandEnd queue = slurm({"squeue", "--noheader", "--states=all", "--format=%i %T"});
    std::map<std::string, std::string> states;
    for (const std::string& line : split(queue.output, '\n')) {
      const std::size_t blank = line.find(' ');
      if (blank != std::string::npos) states[line.substr(0, blank)] = std::string(trim(line.substr(blank)));
    }
    std::vector<JobEnding> endings;
    for (const Task& task : running) {
      if (auto ending = ending_of(*task.stretch, queue.code == 0, states)) {
        ending->job = task.order.id;
        endings.push_back(*std::move(ending));
      }
    }
    return endings;
  }

 private:
  [[nodiscard]] CommandEnd slurm(const std::vector<std::string>& words) const {
    return run_applied({.words = words, .lock = lock_, .timeout_s = 30});
  }

  static Finding found(const std::string& id) {
    return {.found = Found::done, .outcome = {.text = id, .adopted = true}};
  }

  [[nodiscard]] std::vector<std::string> sbatch_words(const Task& task) const {
    const Step& step = task.step;
    const std::string gpus = std::to_string(most_gpus(step.shares));
    const fs::path folder = runs_ / step.key;
    return {"sbatch",
            "--parsable",
            "--job-name=" + step.key,
            "--no-requeue",
            "--comment=sextant " + step.job,
            "--nodes=" + std::to_string(step.shares.size()),
            "--nodelist=" + node_list(step.shares),
            "--ntasks-per-node=1",
            (options_.cpus ? "--cpus-per-task=" : "--gpus-per-node=") + gpus,
            "--output=" + (folder / "log.batch").string(),
            (folder / "batch.sh").string()};
  }

  StepOutcome start(const Task& task) {
    if (task.order.command.empty()) return {.done = false, .text = "the job has no command for Slurm to run"};
    const fs::path folder = runs_ / task.step.key;
    fs::create_directories(folder);
    fs::permissions(runs_, fs::perms::owner_all);  // scripts hold the variables of jobs
    WholeFile script((folder / "batch.sh").string());
    script.stream() << batch_text(task, folder);
    script.commit();
    const CommandEnd end = slurm(sbatch_words(task));
    const std::string id = split(trim(end.output), ';').front();
    if (end.code == 0 && to_integer(id)) return {.text = id};
    // It may have been queued all the same: an answer can get lost.
    if (const Finding finding = look(task); finding.found == Found::done) return finding.outcome;
    return {.done = false, .text = "sbatch: " + std::string(trim(end.errors))};
  }

  StepOutcome stop(const Task& task) {
    if (!task.stretch) return {};
    const std::string& id = task.stretch->reference;
    const CommandEnd told = slurm({"scancel", id});
    for (int tenth = 0; tenth < kStopTenths; ++tenth) {
      const CommandEnd queue = slurm({"squeue", "--noheader", "--jobs=" + id, "--format=%T"});
      const bool forgotten = queue.errors.find("Invalid job id") != std::string::npos;
      if (forgotten || (queue.code == 0 && trim(queue.output).empty()))
        return {.text = "cancelled", .exit = exit_in(runs_ / task.stretch->key)};
      if (abandoned_ && abandoned_()) throw Abandoned();  // to cancel twice harms nobody
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return {.done = false, .text = "Slurm does not clear job " + id + " away: " + told.errors};
  }

  [[nodiscard]] static std::vector<std::string> power_words(const Step& step) {
    return {"scontrol", "update", "NodeName=" + step.node,
            std::string("State=") + (step.kind == StepKind::node_on ? "POWER_UP" : "POWER_DOWN")};
  }

  StepOutcome switch_node(const Step& step) {
    const CommandEnd end =
        options_.power ? slurm(power_words(step)) : slurm({"scontrol", "show", "node", step.node});
    if (end.code != 0)
      return {.done = false, .text = "scontrol: " + std::string(trim(end.errors + end.output))};
    return {.text = options_.power ? "" : "Slurm keeps its nodes"};
  }

  // The file is asked last: the job may end while Slurm is being asked.
  [[nodiscard]] std::optional<JobEnding> ending_of(const Stretch& stretch, bool answered,
                                                   const std::map<std::string, std::string>& states) const {
    const auto state = states.find(stretch.reference);
    const bool alive = !answered || (state != states.end() &&
                                     (state->second == "PENDING" || state->second == "RUNNING" ||
                                      state->second == "CONFIGURING" || state->second == "COMPLETING" ||
                                      state->second == "SUSPENDED"));
    JobEnding ending{.job = {}, .key = stretch.key};
    if (const auto code = exit_in(runs_ / stretch.key)) {
      ending.outcome = *code == 0 ? Phase::finished : Phase::failed;
      ending.reason = *code == 0 ? "it ended well" : "it ended with exit code " + std::to_string(*code);
      return ending;
    }
    if (alive) return {};
    const std::string how = state == states.end() ? "gone" : state->second;
    const bool lost = how == "NODE_FAIL" || how == "PREEMPTED" || how == "BOOT_FAIL";
    ending.outcome = lost ? Phase::waiting : Phase::failed;
    ending.reason = "the Slurm job " + stretch.reference + " ended: " + how;
    return ending;
  }

  SlurmOptions options_;
  fs::path runs_;
  int lock_;
  std::function<bool()> abandoned_;
};

}  // namespace

std::unique_ptr<Executor> make_slurm_executor(const ExecutorSetup& setup) {
  return std::make_unique<SlurmExecutor>(setup);
}

}  // namespace sextant::daemon
