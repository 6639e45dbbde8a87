#include "rank_shell.h"

#include <fstream>

#include "rank_wrapper.h"
#include "sextant/core/text.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/transport.h"

namespace sextant::measure {
namespace {

constexpr std::size_t kLongestMessage = 400;
// A shell adds this to the number of the signal that ended its child; real-time signals are not expected.
constexpr int kShellSignal = 128;
constexpr int kLastSignal = 31;

std::string how_it_ended(int status) {
  const int signal = status - kShellSignal;
  return signal > 0 && signal <= kLastSignal ? signal_text(signal) : exit_text(status);
}

}  // namespace

// Launchers that kill this shell may not find what it started: the kernel ends that with it.
std::vector<std::string> rank_command(const RunRequest& request, const std::string& rank_variable) {
  const std::string line = "SEXTANT_RANK=$" + rank_variable +
                           "; export SEXTANT_RANK; e=\"$1/exit.$SEXTANT_RANK\"; "
                           "with=; command -v setpriv > /dev/null && with='setpriv --pdeathsig KILL'; "
                           "$with " +
                           wrapper_line(request.wrapper) + (request.wrapper.empty() ? "" : "$with ") +
                           "\"$0\" \"$1\" >> \"$1/log.$SEXTANT_RANK\" 2>&1; s=$?; "
                           "echo $s > \"$e.new\"; mv \"$e.new\" \"$e\"; exit $s";
  return {"/bin/sh", "-c", line, request.worker.string(), request.folder.path().string()};
}

std::vector<std::string> mpirun_words(const RunRequest& request, MpirunPlace place) {
  const bool tcp = transports().get(request.trial.transport).id == "mpi-tcp";
  std::vector<std::string> words = {"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  words.insert(words.end(), {"-np", std::to_string(rank_count(request.trial))});
  add({"--mca", "pml", "ob1", "--mca", "btl", tcp ? "self,tcp" : "self,vader"});
  if (place == MpirunPlace::this_machine) {
    add({"--mca", "plm", "isolated", "--mca", "oob_tcp_if_include", "lo"});
    if (tcp) add({"--mca", "btl_tcp_if_include", "lo"});
    words.insert(words.end(), {"--mca", "orte_tmpdir_base", request.folder.path().string()});
  }
  return words;
}

std::string launcher_words(const std::filesystem::path& log) {
  std::ifstream file(log);
  std::string words;
  for (std::string line; words.size() < kLongestMessage && std::getline(file, line);) {
    const std::string_view text = trim(line);
    if (text.empty() || text.find_first_not_of('-') == std::string_view::npos) continue;
    words.append(words.empty() ? "" : " ").append(text);
  }
  return words.substr(0, kLongestMessage);
}

std::string shell_ending(const std::string& ending) {
  constexpr std::string_view kExit = "exit ";
  if (!ending.starts_with(kExit)) return ending;
  return how_it_ended(static_cast<int>(to_integer(ending.substr(kExit.size())).value_or(0)));
}

std::vector<Ended> ExitFiles::poll() {
  std::vector<Ended> found;
  for (std::size_t rank = 0; rank < ended_.size(); ++rank) {
    int status = 0;
    if (ended_[rank]) continue;
    std::ifstream file(folder_.path() / ("exit." + std::to_string(rank)));
    if (!(file >> status)) continue;
    ended_[rank] = true;
    failed_ = failed_ || status != 0;
    found.push_back({static_cast<std::int64_t>(rank), how_it_ended(status)});
  }
  return found;
}

}  // namespace sextant::measure
