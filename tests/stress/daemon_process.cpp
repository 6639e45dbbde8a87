#include "daemon_process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

namespace sextant::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Appends the key of a step it carries out; asked whether it was, looks it up.
constexpr const char* kCommand = R"(#!/bin/sh
read -r line
key=${line#*'"key":"'}
key=${key%%'"'*}
case $line in
*'"ask":"look"'*) if grep -qx "$key" "$1"; then exit 0; else exit 3; fi ;;
esac
echo "$key" >> "$1"
)";

constexpr const char* kMachines = R"({"machines": [{"name": "box", "gpus": 8, "usd_per_hour": 4}],
"nodes": [{"name": "n0"}, {"name": "n1"}, {"name": "n2"}, {"name": "n3"}]})";

}  // namespace

DaemonProcess::DaemonProcess(std::string program, fs::path folder, const DaemonSetup& setup)
    : folder_(std::move(folder)) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  std::ofstream(folder_ / "apply.sh") << kCommand;
  std::ofstream(folder_ / "machines.json") << (setup.machines.empty() ? kMachines : setup.machines);
  std::ofstream(folder_ / "carried-out") << "";
  ::chmod((folder_ / "apply.sh").c_str(), 0755);
  const std::string noting = (folder_ / "apply.sh").string() + " " + (folder_ / "carried-out").string();
  words_ = {std::move(program),
            "plan",
            "daemon",
            "--state",
            (folder_ / "state.db").string(),
            "--listen",
            "127.0.0.1:0",
            "--machines",
            (folder_ / "machines.json").string(),
            "--method",
            setup.method,
            "--apply",
            setup.apply.empty() ? noting : setup.apply};
  words_.insert(words_.end(), setup.more.begin(), setup.more.end());
}

DaemonProcess::~DaemonProcess() {
  kill_hard();
}

bool DaemonProcess::start() {
  const std::string out = (folder_ / "out").string();
  const std::string err = (folder_ / "log").string();
  fs::remove(out);  // what the last one said is not what this one says
  std::vector<char*> words;
  for (std::string& word : words_) words.push_back(word.data());
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDERR_FILENO);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  for (int i = 0; i < 12000; ++i) {  // a minute
    const std::string said = contents(out);
    const std::size_t colon = said.find(':', said.find("127.0.0.1"));
    if (said.find('\n') != std::string::npos && colon != std::string::npos) {
      port_ = static_cast<std::uint16_t>(std::atoi(said.c_str() + colon + 1));
      return true;
    }
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  pid_ = 0;
  return false;
}

void DaemonProcess::kill_hard() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

bool DaemonProcess::stop() {
  int status = 0;
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, &status, 0);
  pid_ = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::map<std::string, int> DaemonProcess::carried_out() const {
  std::map<std::string, int> keys;
  std::ifstream file(folder_ / "carried-out");
  for (std::string line; std::getline(file, line);) ++keys[line];
  return keys;
}

std::string DaemonProcess::log() const {
  return contents(folder_ / "log");
}

}  // namespace sextant::test
