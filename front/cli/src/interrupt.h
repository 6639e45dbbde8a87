// Ctrl-C while long work is done: the first asks for an end after what is in hand, the second ends at once;
// who can give up what is in hand in order is told of the second, and the third ends at once.
#pragma once

#include <atomic>
#include <optional>

#include "sextant/cli/io.h"
#include "sextant/core/run_list.h"

namespace sextant::cli {

// Catches SIGINT while it lives; SIGTERM too where the second is to be told of, and counts as two. One at a
// time.
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
  bool terminates_;
  void (*before_)(int);
  void (*before_term_)(int) = nullptr;
};

// The first Ctrl-C finishes the runs in hand, the second gives them up; within something else, which is asked
// instead, none is heard.
class RunInterrupt {
 public:
  explicit RunInterrupt(const Io& io);

  [[nodiscard]] RunStop stop() const;

 private:
  std::function<bool()> abandoned_;
  std::optional<Interrupt> heard_;
};

}  // namespace sextant::cli
