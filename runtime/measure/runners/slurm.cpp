// Runner slurm: sbatch queues a script whose srun (or mpirun) starts the ranks on the nodes of an allocation.
// The run folder must be one that all nodes see.
#include "rank_shell.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/runner.h"
#include "slurm_job.h"
#include "slurm_script.h"

namespace sextant::measure::runner_slurm {
namespace {

class SlurmProcesses final : public Processes {
 public:
  explicit SlurmProcesses(const RunRequest& request)
      : folder_(request.folder.path()),
        exits_(request.folder, rank_count(request.trial)),
        job_(folder_, slurm_script(request)) {}

  std::vector<Ended> poll() override {
    const auto ending = job_.poll();  // before the files, so that the last of them is not missed
    std::vector<Ended> ended = exits_.poll();
    if (!ending || exits_.any_failed()) return ended;
    const std::string job = "the Slurm job " + job_.id() + " ended: ";
    if (!ending->status) ended.push_back({-1, job + ending->gone});
    if (ending->status.value_or(0) != 0) {
      ended.push_back(
          {-1, job + exit_text(*ending->status) + ": " + launcher_words(folder_ / "log.launcher")});
    }
    return ended;
  }
  [[nodiscard]] bool running() const override { return job_.running(); }
  [[nodiscard]] bool started() const override { return job_.started(); }
  void kill() override { job_.end(); }

 private:
  std::filesystem::path folder_;
  ExitFiles exits_;
  SlurmJob job_;
};

}  // namespace

std::vector<RunnerInfo> plugin() {
  return {{{.id = "slurm",
            .summary = "processes of a Slurm allocation, one task a rank",
            .reference = "Yoo, Jette, Grondona, SLURM (JSSPP 2003); sbatch(1), srun(1)"},
           {"sbatch"},
           [](const Trial&) { return slurm_obstacles(); },
           [](const RunRequest& request) -> std::unique_ptr<Processes> {
             return std::make_unique<SlurmProcesses>(request);
           }}};
}

}  // namespace sextant::measure::runner_slurm
