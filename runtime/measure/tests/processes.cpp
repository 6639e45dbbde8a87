#include "processes.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "sextant/core/text.h"

namespace sextant::measure::test {
namespace {

// Life is three 64-bit numbers in the machine's order; small ones fit into a byte each.
constexpr const char* kPrelude = R"(#!/bin/sh
folder=$1
number() {
  printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256 % 256)))\\$(printf %03o $(($1 / 65536)))\\0\\0\\0\\0\\0"
}
beat() {
  { number $$; number $1; number $2; } > "$folder/life.$SEXTANT_RANK.new"
  mv "$folder/life.$SEXTANT_RANK.new" "$folder/life.$SEXTANT_RANK"
}
hang() {
  mkfifo "$folder/never.$SEXTANT_RANK"
  read nothing < "$folder/never.$SEXTANT_RANK"
}
report() {
  times=${times:-1, 2}
  none=$(echo "$times" | sed 's/[0-9.]\{1,\}/0/g')
  printf '{"schema": "sextant.worker-report/1", "rank": %d, "role": "worker", "host": "here", "pid": %d,
    "first_iteration": %d, "iterations": {"total_s": [%s], "input_s": [%s], "forward_s": [%s],
    "backward_s": [%s], "communication_s": [%s], "exposed_communication_s": [%s], "optimizer_s": [%s]},
    "losses": [%s], "bytes": {"payload": 0, "theoretical": 0, "kernel": null}, "peak_rss_bytes": 7,
    "accuracy": null, "operators": [], "error": "%s", "bad_input": null, "versions": {"shell": "sh"}}' \
    $SEXTANT_RANK $$ ${2:-0} "$times" "$none" "$none" "$none" "$none" "$none" "$none" "$times" "$1" \
    > "$folder/report.$SEXTANT_RANK.json"
}
)";

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string command_of(const std::filesystem::path& process) {
  std::string words = contents(process / "cmdline");
  std::ranges::replace(words, '\0', ' ');
  return process.filename().string() + ": " + words;
}

// Inodes of the sockets of a process.
std::set<std::string> sockets_of(const std::filesystem::path& process) {
  std::set<std::string> inodes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(process / "fd", error)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    constexpr std::string_view kSocket = "socket:[";
    if (target.starts_with(kSocket))
      inodes.insert(target.substr(kSocket.size(), target.size() - kSocket.size() - 1));
  }
  return inodes;
}

// "0100007F:1F90" is 127.0.0.1 in the order of this machine's bytes; ::1 ends in 01000000.
bool is_loopback(const std::string& address) {
  const std::string host = address.substr(0, address.find(':'));
  return host.size() == 8 ? host.ends_with("7F") : host == "00000000000000000000000001000000";
}

}  // namespace

std::vector<std::string> open_to_others(const std::string& mark) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const bool numbered = to_integer(entry.path().filename().string()).has_value();
    if (!numbered ||
        contents(entry.path() / "environ").find("SEXTANT_TEST_MARK=" + mark) == std::string::npos) {
      continue;
    }
    const std::set<std::string> own = sockets_of(entry.path());
    for (const char* table : {"tcp", "tcp6"}) {
      std::istringstream lines(contents(entry.path() / "net" / table));
      for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::vector<std::string> columns;
        for (std::string word; words >> word;) columns.push_back(word);
        const bool listens = columns.size() > 9 && columns[3] == "0A";
        if (listens && own.contains(columns[9]) && !is_loopback(columns[1])) {
          found.push_back(command_of(entry.path()) + columns[1]);
        }
      }
    }
  }
  return found;
}

std::filesystem::path write_script(const std::filesystem::path& folder, const std::string& body) {
  const auto path = folder / "worker.sh";
  std::ofstream(path) << kPrelude << body;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

Trial script_trial(std::int64_t workers) {
  Trial trial;
  trial.workers = workers;
  trial.strategy = workers > 1 ? "all-reduce" : "single";
  trial.job.sizes.batch = 4;
  trial.timeout_s = 1;
  return trial;
}

void mark_processes(const std::string& mark) {
  ::setenv("SEXTANT_TEST_MARK", mark.c_str(), 1);
}

std::vector<std::string> left_running(const std::string& mark) {
  const auto marked = [&](const std::filesystem::path& process) {
    return contents(process / "environ").find("SEXTANT_TEST_MARK=" + mark) != std::string::npos;
  };
  std::vector<std::string> left;
  for (int wait = 0; wait < 50; ++wait) {
    left.clear();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const auto pid = to_integer(entry.path().filename().string());
      if (pid && *pid != ::getpid() && marked(entry.path())) left.push_back(command_of(entry.path()));
    }
    if (left.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return left;
}

}  // namespace sextant::measure::test
