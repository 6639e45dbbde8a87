// A batch job of Slurm's from its submission to its end: the script's lease is renewed while somebody polls,
// and the destructor leaves nothing running or queued.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sextant::measure {

class SlurmJob {
 public:
  // `options` of sbatch. SystemError where it is refused.
  SlurmJob(std::filesystem::path folder, const std::string& script,
           const std::vector<std::string>& options = {});
  ~SlurmJob();
  SlurmJob(const SlurmJob&) = delete;
  SlurmJob& operator=(const SlurmJob&) = delete;

  // Nothing while it waits or runs; then how it ended: status of the launcher, or why there is none.
  struct Ending {
    std::optional<int> status = {};
    std::string gone = {};
  };
  std::optional<Ending> poll();
  [[nodiscard]] bool running() const { return running_; }
  [[nodiscard]] bool started() const { return std::filesystem::exists(folder_ / "started"); }
  [[nodiscard]] const std::string& id() const { return id_; }
  void end();  // and wait until it is gone

 private:
  std::string ask();
  [[nodiscard]] std::optional<int> launcher_status() const;
  [[nodiscard]] std::string state() const;

  std::filesystem::path folder_;
  std::string id_;
  std::int64_t asked_ns_ = 0;
  std::int64_t lease_ = 0;
  bool running_ = true;
  bool cleared_ = false;
};

// Why no job can be submitted here; empty: it can.
std::vector<std::string> slurm_obstacles();

}  // namespace sextant::measure
