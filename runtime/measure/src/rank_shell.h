// How ranks are started by somebody else's launcher: through a line of shell that gives the process its rank
// and its log, and writes down how it ended (exit.<rank> in the run folder), which launchers tell too late or
// not at all.
#pragma once

#include <string>
#include <vector>

#include "sextant/measure/runner.h"
#include "sextant/measure/shell_words.h"

namespace sextant::measure {

// sh -c '…' WORKER FOLDER; `rank_variable` is where the launcher puts the rank.
std::vector<std::string> rank_command(const RunRequest& request, const std::string& rank_variable);

// The words for mpirun, ready to be followed by rank_command. Ranks of one machine talk over the loopback.
enum class MpirunPlace { this_machine, allocation };
std::vector<std::string> mpirun_words(const RunRequest& request, MpirunPlace place);

// What a launcher wrote, on one line, for messages.
std::string launcher_words(const std::filesystem::path& log);

// How the command of a shell ended, by how the shell did: "exit 137" is a signal.
std::string shell_ending(const std::string& ending);

// Finds ranks that have ended.
class ExitFiles {
 public:
  ExitFiles(RunFolder folder, std::int64_t ranks) : folder_(std::move(folder)), ended_(ranks, false) {}
  std::vector<Ended> poll();
  [[nodiscard]] bool any_failed() const { return failed_; }

 private:
  RunFolder folder_;
  std::vector<bool> ended_;
  bool failed_ = false;
};

}  // namespace sextant::measure
