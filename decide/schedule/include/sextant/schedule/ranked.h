// Queue policies that are an order: each job has a rank, the smaller goes first. One dispatcher serves them
// all in logarithmic time per change: waiting jobs stand in buckets by what they ask for, running ones by
// type and number of GPUs, each sorted once, because ranks are straight lines in time with one slope per
// bucket.
#pragma once

#include <limits>
#include <memory>

#include "sextant/schedule/policy.h"

namespace sextant::schedule {

// level first, then at_zero + slope * now, then arrival, then id. The slope may depend only on whether the
// job runs, on its type and on its number of GPUs.
struct Rank {
  std::int32_t level = 0;
  double at_zero = 0;
  double slope = 0;
  double until_s = std::numeric_limits<double>::infinity();  // when the rank must be asked for again

  [[nodiscard]] double at(double now_s) const { return at_zero + slope * now_s; }
};

class RankRule {
 public:
  virtual ~RankRule() = default;
  // Called first at every decision, for rules that keep books of their own.
  virtual void observe(const ClusterView& view) { static_cast<void>(view); }
  // Asked when the job arrives, starts, stops, and at until_s. `job` may also be what a waiting job would
  // look like once it runs on a type, to compare it with those that run there.
  virtual Rank rank(const JobView& job, const ClusterView& view) = 0;
};

struct RankedOptions {
  bool preempts = false;  // a waiting job takes the GPUs of running ones of larger rank, fewest victims first
  bool blocks = false;    // nothing passes the first that does not fit
  // Whoever has run this long goes to a faster type that stands idle; infinite: jobs stay where they are.
  double move_s = std::numeric_limits<double>::infinity();
  double quantum_s = 0;  // look again this often while somebody waits; 0: only at changes
};

// The parameter of policies that set move_s.
ParameterInfo move_parameter();

std::unique_ptr<QueuePolicy> make_ranked(std::unique_ptr<RankRule> rule, const RankedOptions& options);

}  // namespace sextant::schedule
