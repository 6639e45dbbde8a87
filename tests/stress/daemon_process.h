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

class DaemonProcess {
 public:
  // `folder` is made anew, with a file of machines and a command that notes what it carries out.
  DaemonProcess(std::string program, std::filesystem::path folder);
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
  std::string program_;
  std::filesystem::path folder_;
  pid_t pid_ = 0;
  std::uint16_t port_ = 0;
};

}  // namespace sextant::test
