// Ctrl-C while long work is done: the first asks for an end after what is in hand, the second ends at once;
// who can give up what is in hand in order is told of the second, and the third ends at once.
#pragma once

#include <atomic>

namespace sextant::cli {

// Catches SIGINT while it lives; SIGTERM too where the second is to be told of, and counts as two. Within
// another one it only looks at what that has caught.
class Interrupt {
 public:
  enum class Second { ends, is_told };
  explicit Interrupt(Second second = Second::ends);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>* flag() const;
  [[nodiscard]] bool asked() const { return flag()->load(); }
  [[nodiscard]] bool asked_again() const;

 private:
  bool outer_;
  bool terminates_;
  void (*before_)(int) = nullptr;
  void (*before_term_)(int) = nullptr;
};

}  // namespace sextant::cli
