// What a job costs from some instant on if everything can be decided again at any time: a job then mixes two
// of its options such that it ends at its due date, or pays for being late where that is cheaper. Costs of
// mixes are the lower convex hull of the options' costs over their times, in full machines. A decision is
// worth what its nodes cost until the next event and what all jobs cost after it; a bound on the whole when
// nodes do not matter. Of a job whose times are not known well, all that is averaged over how long it may
// turn out to be, since that shows once it runs and everything is decided again then.
#pragma once

#include <cstdint>
#include <vector>

#include "cost_model.h"

namespace sextant::capacity {

struct Caution {
  // Of the time that a job could wait and still be in time at its fastest, what it keeps. Who plans to the
  // last second counts on GPUs that others may have then.
  double margin = 0;
  // Of what a restart costs, on top: who is moved once is often moved again.
  double hesitation = 0.5;
};

class Outlook {
 public:
  Outlook(const CostModel& model, const Caution& caution);

  // USD/s for a GPU of a full machine.
  [[nodiscard]] double gpu_price(std::int32_t type) const { return gpu_price_[at(type)]; }
  // USD after `until` seconds if the job runs with the option until then. Where it ends before, the GPUs that
  // it leaves behind count as sold.
  [[nodiscard]] double after(std::int32_t job, std::int32_t option, bool moved, double until) const;
  // The same if it waits.
  [[nodiscard]] double after_waiting(std::int32_t job, double until) const;
  // Price until then and cost after it, in a full machine.
  [[nodiscard]] double value(std::int32_t job, std::int32_t option, double until) const;
  // Seconds of the job's cheapest option, and of its fastest one that is worth its price.
  [[nodiscard]] double longest(std::int32_t job) const { return hulls_[at(job)].back().time; }
  [[nodiscard]] double shortest(std::int32_t job) const { return hulls_[at(job)].front().time; }

 private:
  struct Point {
    double time = 0;  // s, as it counts against the due date
    double cost = 0;  // USD
    [[nodiscard]] double rate() const { return cost / time; }
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  // How long a job may turn out to be, relative to the median.
  struct Length {
    double factor = 1;
    double weight = 1;
  };
  [[nodiscard]] std::vector<Point> hull(std::int32_t job) const;
  // USD for the rest of the job, of which `part` is left and `slack` seconds until its due date; `owed`
  // seconds of restart come first.
  [[nodiscard]] double rest(std::int32_t job, double part, double slack, double owed) const;
  struct Stint {
    std::int32_t job = kNone;
    std::int32_t option = kNone;
    double lost = 0;  // s of restart, before it goes on
    double until = 0;
  };
  [[nodiscard]] double after_stint(const Stint& stint, double factor) const;
  void add_lengths(std::int32_t job);
  void add_margins(double margin);
  template <class Cost>
  [[nodiscard]] double over_lengths(std::int32_t job, const Cost& cost) const;

  const CostModel* model_;
  double hesitation_;
  std::vector<double> gpu_price_;          // by type
  std::vector<double> weight_;             // by job: USD/s of tardiness
  std::vector<std::vector<Point>> hulls_;  // by job, from the fastest to the cheapest; empty: it fits nowhere
  std::vector<std::vector<Length>> lengths_;  // by job; empty: its times are known
  std::vector<double> margin_;                // by job: s before its due date by which it is to end
  std::vector<double> at_risk_;               // by job: the factor of the quantile of the risk
};

}  // namespace sextant::capacity
