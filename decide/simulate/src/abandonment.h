// Whether a run is to be given up, asked now and then: the answer may take longer than an event.
#pragma once

#include <cstdint>

#include "sextant/core/run_list.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

class Abandonment {
 public:
  explicit Abandonment(const RunOptions::Abandon& wanted) : wanted_(wanted) {}

  // Before each decision, with the jobs that it is about: with many of them a policy that solves a program
  // may take a second, with few all policies are quick. RunAbandoned.
  void check(std::int64_t jobs) {
    decided_ += 1 + jobs;
    if (decided_ < kAskAfter) return;
    decided_ = 0;
    if (wanted_ && wanted_()) throw RunAbandoned{};
  }

 private:
  static constexpr std::int64_t kAskAfter = 1024;
  const RunOptions::Abandon& wanted_;
  std::int64_t decided_ = 0;  // about so many jobs since it was asked
};

}  // namespace sextant::simulate
