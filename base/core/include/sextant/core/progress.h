// Progress of long work. The library reports steps; who shows them, and where, is the caller's choice.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace sextant {

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void step(std::int64_t done, std::int64_t total, const std::string& note) = 0;
};

// Shows nothing: for pipes and tests.
class NoProgress final : public Progress {
 public:
  void step(std::int64_t, std::int64_t, const std::string&) override {}
};

// One line on a terminal, rewritten in place, from the second second on: done/total, note, time left.
// The clock is a parameter so that tests need not wait.
class LineProgress final : public Progress {
 public:
  using Clock = std::chrono::steady_clock::time_point (*)();
  explicit LineProgress(std::ostream& out, Clock now = &std::chrono::steady_clock::now);
  ~LineProgress() override;  // erases its line
  LineProgress(const LineProgress&) = delete;
  LineProgress& operator=(const LineProgress&) = delete;

  void step(std::int64_t done, std::int64_t total, const std::string& note) override;

 private:
  std::ostream& out_;
  Clock now_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  bool shown_ = false;
};

}  // namespace sextant
