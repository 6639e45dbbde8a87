// A daemon of its own process, to be killed, and what its command noted: each step that was really carried
// out.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sextant::test {

struct DaemonSetup {
  std::string method = "edf";
  std::string apply = {};              // empty: a command that notes what it carries out
  std::string machines = {};           // JSON; empty: four nodes of eight GPUs
  std::vector<std::string> more = {};  // arguments
};

class DaemonProcess {
 public:
  // `folder` is made anew, with a file of machines and the command.
  DaemonProcess(std::string program, std::filesystem::path folder, const DaemonSetup& setup = {});
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  bool start();  // false: it did not come up
  void kill_hard();
  bool stop();  // by SIGTERM; true: it ended well
  [[nodiscard]] std::uint16_t port() const { return port_; }
  // How often each key was carried out.
  [[nodiscard]] std::map<std::string, int> carried_out() const;
  [[nodiscard]] std::string log() const;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> words_;  // of its command line, the program first
  pid_t pid_ = 0;
  std::uint16_t port_ = 0;
};

}  // namespace sextant::test
