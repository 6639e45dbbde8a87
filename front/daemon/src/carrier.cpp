#include "carrier.h"

#include "sextant/core/error.h"

namespace sextant::daemon {
namespace {

constexpr Seconds kPause{1};       // between two looks at running jobs
constexpr Seconds kDoubtPause{2};  // before the cluster is asked again

std::optional<Task> first_task(const Books& books) {
  if (books.steps.empty()) return {};
  Task task{.step = books.steps.front()};
  if (const DaemonJob* job = task.step.job.empty() ? nullptr : books.find(task.step.job)) {
    task.order = job->order;
    task.stretch = job->stretch;
  }
  return task;
}

std::vector<Task> running_tasks(const Books& books) {
  std::vector<Task> tasks;
  for (const std::size_t place : books.live) {
    const DaemonJob& job = books.jobs[place];
    if (job.phase == Phase::running && job.stretch)
      tasks.push_back({.step = {}, .order = job.order, .stretch = job.stretch});
  }
  return tasks;
}

}  // namespace

Carrier::Carrier(const CarrierSetup& setup) : setup_(setup) {
  setup_.ledger.read([&](const Books& books) {
    for (const Step& step : books.steps) doubtful_.insert(step.seq);
  });
  thread_ = std::thread([this] { work(); });
}

Carrier::~Carrier() {
  ending_ = true;
  setup_.ledger.wake_all();
  thread_.join();
}

void Carrier::work() {
  auto watched = std::chrono::steady_clock::now();
  while (!ending_) {
    const std::uint64_t seen = setup_.ledger.version();
    try {
      while (!ending_ && carry_next()) {
      }
      if (ending_) return;
      if (std::chrono::steady_clock::now() - watched >= std::chrono::duration<double>(kPause.value)) {
        watch();
        watched = std::chrono::steady_clock::now();
      }
    } catch (const Abandoned&) {
      return;
    } catch (const std::exception& error) {  // a disk that is full: said, and tried again
      setup_.say(std::string("error: ") + error.what());
      setup_.ledger.wait_beyond(seen, kDoubtPause);
    }
    if (!ending_) setup_.ledger.wait_beyond(seen, kPause);
  }
}

StepOutcome Carrier::outcome_of(const Task& task) {
  if (setup_.dry_run) {
    setup_.say("would do: " + setup_.executor.shown(task));
    return {.text = "dry run"};
  }
  try {
    return setup_.executor.carry_out(task);
  } catch (const std::exception& error) {
    return {.done = false, .text = error.what()};
  }
}

// False: there is none, or it cannot be told yet whether it was done.
bool Carrier::carry_next() {
  const auto task = setup_.ledger.read(first_task);
  if (!task) return false;
  StepOutcome outcome;
  bool found = false;
  if (doubtful_.contains(task->step.seq) && !setup_.dry_run) {
    const Finding finding = setup_.executor.look(*task);
    if (finding.found == Found::unknown) {
      setup_.say("step " + task->step.key + " may have been done: " + finding.why);
      setup_.ledger.wait_beyond(setup_.ledger.version(), kDoubtPause);
      return false;
    }
    found = finding.found == Found::done;
    outcome = finding.outcome;
  }
  if (!found) outcome = outcome_of(*task);
  setup_.ledger.change([&](Page& page) { settle(page, task->step.seq, outcome); });
  doubtful_.erase(task->step.seq);
  setup_.metrics.add("sextant_plan_steps_total", {{"kind", step_text(task->step.kind)},
                                                  {"outcome", !outcome.done ? "failed"
                                                              : found       ? "found"
                                                                            : "done"}});
  if (!outcome.done) setup_.say("step " + task->step.key + " failed: " + outcome.text);
  return true;
}

void Carrier::watch() {
  if (setup_.dry_run) return;
  const std::vector<Task> running = setup_.ledger.read(running_tasks);
  const std::vector<JobEnding> endings = setup_.executor.endings(running);
  if (endings.empty()) return;
  setup_.ledger.change([&](Page& page) {
    for (const JobEnding& ending : endings) note_ending(page, ending);
  });
}

}  // namespace sextant::daemon
