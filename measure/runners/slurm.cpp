// Runner slurm: sbatch queues a script whose srun (or mpirun) starts the ranks on the nodes of an allocation.
// The run folder must be one that all nodes see.
#include <chrono>
#include <fstream>
#include <thread>

#include "rank_shell.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/clock.h"
#include "sextant/measure/runner.h"
#include "slurm_script.h"

namespace sextant {
namespace {

constexpr std::int64_t kAskEveryNs = 1'000'000'000;  // the controller, about the job
constexpr double kAnswerSeconds = 8;                 // less than the lease lasts
constexpr int kEndSeconds = 60;                      // for Slurm to clear a job away

std::string submit(const RunRequest& request) {
  const std::filesystem::path& folder = request.folder.path();
  const std::string script = (folder / "batch.sh").string();
  write_file_atomically(script, slurm_script(request));
  write_file_atomically(folder / "lease", "0\n");
  const CommandResult result = run_command(
      {"sbatch", "--parsable", "--output=" + (folder / "log.batch").string(), "--open-mode=append", script});
  const std::string answer(trim(result.output));
  if (!result.ending.empty()) throw SystemError("sbatch: " + result.ending + ": " + answer);
  const std::string id = split(answer.substr(answer.rfind('\n') + 1), ';').at(0);
  if (!to_integer(id)) throw SystemError("sbatch: gave no job number: " + answer);
  return id;
}

class SlurmProcesses final : public Processes {
 public:
  explicit SlurmProcesses(const RunRequest& request)
      : folder_(request.folder.path()),
        exits_(request.folder, rank_count(request.trial)),
        job_(submit(request)),
        asked_ns_(monotonic_ns()) {}
  ~SlurmProcesses() override { end(); }

  std::vector<Ended> poll() override {
    if (!running_) return exits_.poll();
    const std::string gone = ask();
    const std::optional<int> status = launcher_status();  // after asking: it may have ended meanwhile
    std::vector<Ended> ended = exits_.poll();
    running_ = !status && gone.empty();
    if (running_ || exits_.any_failed()) return ended;
    const std::string job = "the Slurm job " + job_ + " ended: ";
    if (!status) ended.push_back({-1, job + gone});
    if (status.value_or(0) != 0) {
      ended.push_back({-1, job + exit_text(*status) + ": " + launcher_words(folder_ / "log.launcher")});
    }
    return ended;
  }
  [[nodiscard]] bool running() const override { return running_; }
  [[nodiscard]] bool started() const override { return std::filesystem::exists(folder_ / "started"); }
  void kill() override { end(); }

 private:
  // Raises the lease and asks the controller, both about once a second. Not empty: the job is gone, and why.
  std::string ask() {
    if (monotonic_ns() - asked_ns_ < kAskEveryNs) return {};
    asked_ns_ = monotonic_ns();
    write_file_atomically(folder_ / "lease", std::to_string(++lease_) + "\n");
    const std::string state = job_state();
    return state == "PENDING" || state == "RUNNING" || state == "CONFIGURING" || state == "?" ? "" : state;
  }

  [[nodiscard]] std::optional<int> launcher_status() const {
    int status = 0;
    std::ifstream file(folder_ / "exit.launcher");
    return file >> status ? std::optional(status) : std::nullopt;
  }

  // "?" while the controller does not answer: it may come back, and the job with it.
  [[nodiscard]] std::string job_state() const {
    const CommandResult result =
        run_command({"squeue", "--noheader", "--jobs=" + job_, "--format=%T"}, kAnswerSeconds);
    const std::string text(trim(result.output));
    if (text.find("Invalid job id") != std::string::npos) return "gone";
    if (!result.ending.empty()) return "?";
    return text.empty() ? "gone" : text;
  }

  // KILL first: Slurm's own way gives processes half a minute to end by themselves.
  void end() {
    if (cleared_) return;
    cleared_ = true;
    if (running_) {
      run_command({"scancel", "--signal=KILL", "--full", job_});
      run_command({"scancel", job_});
    }
    running_ = false;
    for (int tenth = 0; tenth < 10 * kEndSeconds; ++tenth) {
      const std::string state = job_state();
      if (state != "RUNNING" && state != "COMPLETING" && state != "PENDING") return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  std::filesystem::path folder_;
  ExitFiles exits_;
  std::string job_;
  std::int64_t asked_ns_ = 0;
  std::int64_t lease_ = 0;
  bool running_ = true;
  bool cleared_ = false;
};

std::vector<std::string> slurm_problems(const Trial&) {
  std::vector<std::string> problems;
  for (const char* name : {"sbatch", "srun", "squeue", "scancel"}) {
    if (find_program(name)) continue;
    return {std::string("Slurm is not installed: there is no ") + name + " on PATH (Debian: slurm-client)"};
  }
  const CommandResult ping = run_command({"scontrol", "ping"}, 10);
  if (!ping.ending.empty())
    problems.push_back("Slurm's controller does not answer: " + std::string(trim(ping.output)));
  return problems;
}

}  // namespace

RunnerInfo runner_slurm() {
  return {{.id = "slurm",
           .summary = "processes of a Slurm allocation, one task a rank",
           .reference = "Yoo, Jette, Grondona, SLURM (JSSPP 2003); sbatch(1), srun(1)"},
          {"sbatch"},
          slurm_problems,
          [](const RunRequest& request) -> std::unique_ptr<Processes> {
            return std::make_unique<SlurmProcesses>(request);
          }};
}

}  // namespace sextant
