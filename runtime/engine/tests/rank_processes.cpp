#include "rank_processes.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace sextant::engine {
namespace {

struct RankProcess {
  pid_t pid = 0;
  int answer = -1;
};

RankProcess start(std::int64_t rank, const std::function<std::string(std::int64_t)>& fn) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe");
  const pid_t pid = fork();
  if (pid != 0) {
    close(ends[1]);
    return {pid, ends[0]};
  }
  close(ends[0]);
  std::string answer;
  try {
    answer = fn(rank);
  } catch (const std::exception& error) {
    answer = std::string("error: ") + error.what();
  }
  const auto written = write(ends[1], answer.data(), answer.size());
  _exit(written == static_cast<ssize_t>(answer.size()) ? 0 : 1);
}

bool stopped(pid_t pid) {
  siginfo_t what{};
  return waitid(P_PID, static_cast<id_t>(pid), &what, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         what.si_pid == pid;
}

std::string read_answer(const RankProcess& process, std::chrono::steady_clock::time_point deadline) {
  std::string answer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd watch{process.answer, POLLIN, 0};
    if (poll(&watch, 1, std::clamp(static_cast<int>(left.count()), 0, 100)) == 0) {
      if (left.count() <= 0 || stopped(process.pid)) return "killed";
      continue;
    }
    std::array<char, 4096> part{};
    const ssize_t count = read(process.answer, part.data(), part.size());
    if (count <= 0) return answer;
    answer.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<std::string> run_ranks(std::int64_t ranks, const std::function<std::string(std::int64_t)>& fn,
                                   double patience_s) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<int>(patience_s * 1000));
  std::vector<RankProcess> processes;
  for (std::int64_t rank = 0; rank < ranks; ++rank) processes.push_back(start(rank, fn));
  std::vector<std::string> answers;
  for (const RankProcess& process : processes) answers.push_back(read_answer(process, deadline));
  for (const RankProcess& process : processes) {
    kill(process.pid, SIGKILL);  // those that have ended do not mind
    waitpid(process.pid, nullptr, 0);
    close(process.answer);
  }
  return answers;
}

int run_under_mpi(std::int64_t ranks, const std::string& name, const std::string& btl,
                  const std::vector<std::string>& environment) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string command =
      "timeout 240 env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX";  // the child runs its test whole
  for (const std::string& setting : environment) command += " '" + setting + "'";
  command += " mpirun --allow-run-as-root --oversubscribe --bind-to none --mca btl self," + btl + " -n " +
             std::to_string(ranks) + " '" + self +
             "' --gtest_also_run_disabled_tests --gtest_filter=" + name + " >&2";
  return std::system(command.c_str());
}

void run_again(std::int64_t ranks, const std::string& name, const std::vector<std::string>& environment) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string filter = "--gtest_filter=" + name;
  const auto become = [&](std::int64_t rank) -> std::string {
    setenv("SEXTANT_RANK", std::to_string(rank).c_str(), 1);
    unsetenv("GTEST_TOTAL_SHARDS");  // the test is run whatever our share of the tests is
    unsetenv("GTEST_SHARD_INDEX");
    for (const std::string& setting : environment) {
      const std::size_t split = setting.find('=');
      setenv(setting.substr(0, split).c_str(), setting.substr(split + 1).c_str(), 1);
    }
    dup2(2, 1);  // its report is not ours
    execl(self.c_str(), self.c_str(), "--gtest_also_run_disabled_tests", filter.c_str(), nullptr);
    return "cannot start";
  };
  run_ranks(ranks, become, 200);
}

}  // namespace sextant::engine
