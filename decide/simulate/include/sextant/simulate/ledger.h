// The books of a run, kept in every run: GPUs given and returned add up at every instant, GPU-seconds of a
// type add up to gpus * horizon, a job that completed did its work, every job has an end. What does not add
// up is a ConservationError that names the policy, the time and the job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct CompletedWork {
  std::int64_t job = 0;
  double work = 0;       // in all
  double remaining = 0;  // by the books, at completion; off by rounding only
  double speed = 0;      // work per second
  double now_s = 0;
};

class Ledger {
 public:
  Ledger(const clusters::Cluster& cluster, std::string policy);

  [[nodiscard]] const std::string& policy() const { return policy_; }
  void hold(std::int32_t type, std::int64_t gpus) { held_[static_cast<std::size_t>(type)] += gpus; }
  void release(std::int32_t type, std::int64_t gpus) { held_[static_cast<std::size_t>(type)] -= gpus; }
  // After each instant: what is free and what is held is what is up.
  void balance(std::span<const schedule::TypeView> types, double now_s) const {
    for (std::size_t t = 0; t < types.size(); ++t) {
      if (held_[t] < 0 || types[t].free < 0 || held_[t] + types[t].free != types[t].gpus ||
          types[t].gpus > gpus_[t]) {
        out_of_balance(types[t], held_[t], now_s);
      }
    }
  }
  void complete(const CompletedWork& done) const;
  // A decision that cannot be carried out; job -1: none in particular.
  [[noreturn]] void refuse(const std::string& what, std::int64_t job, double now_s) const;

 private:
  [[noreturn]] void out_of_balance(const schedule::TypeView& type, std::int64_t held, double now_s) const;

  std::string policy_;
  std::vector<std::int64_t> gpus_;
  std::vector<std::int64_t> held_;
};

// Pools and jobs of a finished run; also for runs of other mechanisms. `policy` is for the message.
void check_conservation(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                        const std::string& policy);

}  // namespace sextant::simulate
