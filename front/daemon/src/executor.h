// Who carries steps out in the cluster. A step may be asked for again after a crash: `look` then says whether
// it had been done, so that it is done once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "changes.h"

namespace sextant::daemon {

// A step with what is known of its job.
struct Task {
  Step step = {};
  JobOrder order = {};                  // start, stop
  std::optional<Stretch> stretch = {};  // stop: where it runs
};

enum class Found { done, absent, unknown };
struct Finding {
  Found found = Found::absent;
  StepOutcome outcome = {};  // of one that was done
  std::string why = {};      // it is unknown
};

// Thrown by a step that was left when the daemon ended: it is still to be done.
class Abandoned {};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual StepOutcome carry_out(const Task& task) = 0;
  virtual Finding look(const Task& task) = 0;
  // What would be done, on one line.
  [[nodiscard]] virtual std::string shown(const Task& task) const = 0;
  // Of jobs that run, those that are over. Asked about once a second.
  virtual std::vector<JobEnding> endings(const std::vector<Task>& running) {
    (void)running;
    return {};
  }
};

struct ExecutorSetup {
  std::string apply = {};                // "", "slurm", "slurm:cpus", or a command
  std::string state = {};                // path of the state; what runs leave goes beside it
  std::function<bool()> abandoned = {};  // the daemon ends: what can be done again is left
  int lock = -1;  // commands hold it, so that they are waited for should the daemon die
};
// InputError at `apply`; for Slurm, SystemError where there is none.
std::unique_ptr<Executor> make_executor(const ExecutorSetup& setup);
std::unique_ptr<Executor> make_slurm_executor(const ExecutorSetup& setup);
std::unique_ptr<Executor> make_command_executor(const ExecutorSetup& setup);

}  // namespace sextant::daemon
