// Progress on the terminal, or nowhere.
#pragma once

#include <chrono>
#include <memory>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/core/progress.h"

namespace sextant::cli {

inline std::unique_ptr<Progress> progress_on(const Io& io) {
  if (io.err_is_terminal) return std::make_unique<LineProgress>(io.err);
  return std::make_unique<NoProgress>();
}

// Where stderr is a file or a pipe: a line now and then, the first after a few seconds, so that whoever looks
// at it later, or waits, knows what was waited for.
class ProgressLines final : public Progress {
 public:
  using Clock = std::chrono::steady_clock::time_point (*)();
  explicit ProgressLines(std::ostream& out, Clock now = &std::chrono::steady_clock::now)
      : out_(out), now_(now), next_(now() + std::chrono::seconds(5)) {}

  void step(std::int64_t /*done*/, std::int64_t /*total*/, const std::string& note) override {
    if (now_() < next_) return;
    next_ = now_() + std::chrono::seconds(15);
    out_ << "sextant: " << note << '\n' << std::flush;
  }

 private:
  std::ostream& out_;
  Clock now_;
  std::chrono::steady_clock::time_point next_;
};

// For work that takes minutes whatever the job.
inline std::unique_ptr<Progress> told_progress_on(const Io& io) {
  if (io.err_is_terminal) return std::make_unique<LineProgress>(io.err);
  return std::make_unique<ProgressLines>(io.err);
}

}  // namespace sextant::cli
