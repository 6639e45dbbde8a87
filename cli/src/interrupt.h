// Ctrl-C while long work is done: the first asks for an end after what is in hand, the second ends at once.
#pragma once

#include <atomic>

namespace sextant {

// Catches SIGINT while it lives. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>* flag() const;
  [[nodiscard]] bool asked() const { return flag()->load(); }

 private:
  void (*before_)(int);
};

}  // namespace sextant
