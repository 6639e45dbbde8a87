// Progress on the terminal, or nowhere.
#pragma once

#include <chrono>
#include <memory>
#include <ostream>
#include <string>

#include "sextant/cli/command.h"
#include "sextant/core/progress.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {

// On one line of the terminal: a longer one would go on below, where it cannot be erased.
class FittedProgress final : public Progress {
 public:
  FittedProgress(std::ostream& out, int width, LineProgress::Clock now = &std::chrono::steady_clock::now)
      : line_(out, now), width_(static_cast<std::size_t>(width > 0 ? width : kUsualWidth)) {}

  void step(std::int64_t done, std::int64_t total, const std::string& note) override {
    const std::size_t counted = std::to_string(done).size() + std::to_string(total).size() + kBeside;
    const std::size_t room = width_ > counted + kLeft ? width_ - counted - kLeft : 0;
    line_.step(done, total, report::display_width(note) <= room ? note : cut(note, room));
  }

 private:
  static std::string cut(const std::string& note, std::size_t room) {
    return room == 0 ? "" : std::string(report::within_columns(note, room - 1)) + "…";
  }

  static constexpr int kUsualWidth = 80;
  static constexpr std::size_t kBeside = 4;  // columns: '/', two blanks, and the last one of the line
  static constexpr std::size_t kLeft = 15;   // columns of "  59.9 min left"

  LineProgress line_;
  std::size_t width_;
};

inline std::unique_ptr<Progress> progress_on(const Io& io) {
  if (io.err_is_terminal) return std::make_unique<FittedProgress>(io.err, io.err_width);
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
  if (io.err_is_terminal) return std::make_unique<FittedProgress>(io.err, io.err_width);
  return std::make_unique<ProgressLines>(io.err);
}

}  // namespace sextant::cli
