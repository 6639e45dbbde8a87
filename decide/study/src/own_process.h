// This program as a process of its own: what it answers and what it says besides are kept apart, and it can
// be ended in order.
#pragma once

#include <chrono>

#include "sextant/measure/child_process.h"
#include "sextant/measure/launched_command.h"
#include "sextant/measure/scratch_folder.h"

namespace sextant::study {

class OwnProcess final : public measure::LaunchedCommand {
 public:
  // `patience`: how long it has after SIGINT to end what it started and clear away its files.
  OwnProcess(const std::vector<std::string>& command, std::chrono::milliseconds patience);
  ~OwnProcess() override { OwnProcess::kill(); }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  std::optional<std::string> poll() override { return child_.poll(); }
  void kill() override;
  [[nodiscard]] std::filesystem::path log() const override { return folder_.path() / "errors"; }
  [[nodiscard]] std::filesystem::path answer() const { return folder_.path() / "answer"; }

 private:
  std::chrono::milliseconds patience_;
  measure::ScratchFolder folder_;
  measure::ChildProcess child_;
};

}  // namespace sextant::study
