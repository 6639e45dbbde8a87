// One daemon for a state, and none while a command of its predecessor still runs: two locks on files beside
// it, which end with the processes that hold them.
#pragma once

#include <string>

#include "sextant/measure/file_descriptor.h"

namespace sextant::daemon {

class StateLock {
 public:
  // InputError where another daemon has the state; SystemError where nothing can be written beside it.
  explicit StateLock(const std::string& state);
  // Held by commands too; waits for those of a daemon that died, up to a limit.
  [[nodiscard]] int commands() const { return commands_.get(); }

 private:
  measure::FileDescriptor own_;
  measure::FileDescriptor commands_;
};

}  // namespace sextant::daemon
