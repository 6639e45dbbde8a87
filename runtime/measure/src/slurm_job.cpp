#include "slurm_job.h"

#include <chrono>
#include <fstream>
#include <thread>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/clock.h"
#include "sextant/measure/run_folder.h"

namespace sextant::measure {
namespace {

constexpr std::int64_t kAskEveryNs = 1'000'000'000;  // the controller, about the job
constexpr double kAnswerSeconds = 8;                 // less than the lease lasts
constexpr int kEndSeconds = 60;                      // for Slurm to clear a job away

std::string submit(const std::filesystem::path& folder, const std::string& text,
                   const std::vector<std::string>& options) {
  const std::string script = (folder / "batch.sh").string();
  write_file_atomically(script, text);
  write_file_atomically(folder / "lease", "0\n");
  std::vector<std::string> words = {"sbatch", "--parsable", "--output=" + (folder / "log.batch").string(),
                                    "--open-mode=append"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script);
  const CommandResult result = run_command(words);
  const std::string answer(trim(result.output));
  if (!result.ending.empty()) throw SystemError("sbatch: " + result.ending + ": " + answer);
  const std::string id = split(answer.substr(answer.rfind('\n') + 1), ';').at(0);
  if (!to_integer(id)) throw SystemError("sbatch gave no job number: " + answer);
  return id;
}

}  // namespace

SlurmJob::SlurmJob(std::filesystem::path folder, const std::string& script,
                   const std::vector<std::string>& options)
    : folder_(std::move(folder)), id_(submit(folder_, script, options)), asked_ns_(monotonic_ns()) {}

SlurmJob::~SlurmJob() {
  end();
}

std::optional<SlurmJob::Ending> SlurmJob::poll() {
  if (!running_) return {};
  Ending ending;
  ending.gone = ask();
  ending.status = launcher_status();  // after asking: it may have ended meanwhile
  running_ = !ending.status && ending.gone.empty();
  return running_ ? std::nullopt : std::optional(ending);
}

// Raises the lease and asks the controller, both about once a second. Not empty: the job is gone, and why.
std::string SlurmJob::ask() {
  if (monotonic_ns() - asked_ns_ < kAskEveryNs) return {};
  asked_ns_ = monotonic_ns();
  write_file_atomically(folder_ / "lease", std::to_string(++lease_) + "\n");
  const std::string now = state();
  return now == "PENDING" || now == "RUNNING" || now == "CONFIGURING" || now == "?" ? "" : now;
}

std::optional<int> SlurmJob::launcher_status() const {
  int status = 0;
  std::ifstream file(folder_ / "exit.launcher");
  return file >> status ? std::optional(status) : std::nullopt;
}

// "?" while the controller does not answer: it may come back, and the job with it.
std::string SlurmJob::state() const {
  const CommandResult result =
      run_command({"squeue", "--noheader", "--jobs=" + id_, "--format=%T"}, kAnswerSeconds);
  const std::string text(trim(result.output));
  if (text.find("Invalid job id") != std::string::npos) return "gone";
  if (!result.ending.empty()) return "?";
  return text.empty() ? "gone" : text;
}

// KILL first: Slurm's own way gives processes half a minute to end by themselves.
void SlurmJob::end() {
  if (cleared_) return;
  cleared_ = true;
  if (running_) {
    run_command({"scancel", "--signal=KILL", "--full", id_});
    run_command({"scancel", id_});
  }
  running_ = false;
  for (int tenth = 0; tenth < 10 * kEndSeconds; ++tenth) {
    const std::string now = state();
    if (now != "RUNNING" && now != "COMPLETING" && now != "PENDING") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

std::vector<std::string> slurm_obstacles() {
  for (const char* name : {"sbatch", "srun", "squeue", "scancel"}) {
    if (find_program(name)) continue;
    return {std::string("Slurm is not installed: there is no ") + name + " on PATH (Debian: slurm-client)"};
  }
  const CommandResult ping = run_command({"scontrol", "ping"}, 10);
  if (ping.ending.empty()) return {};
  return {"Slurm's controller does not answer: " + std::string(trim(ping.output))};
}

}  // namespace sextant::measure
