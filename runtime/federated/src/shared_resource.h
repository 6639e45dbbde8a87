// What several use at once, such as a link or the cores of a machine: each gets at most its own rate, all
// together at most the capacity, and as evenly as that allows (max-min fairness, which is how TCP's flows
// share a link and a kernel its cores; Bertsekas, Gallager, Data Networks, 6.5.2).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sextant/events/time.h"

namespace sextant::federated {

class SharedResource {
 public:
  explicit SharedResource(double capacity) : capacity_(capacity) {}  // 0: without limit

  // Times do not fall from call to call. `user` is at work on nothing else here.
  void add(std::int64_t user, double amount, double own_rate, double now);
  // When the next one is done if nobody comes; endless where nobody is at work.
  [[nodiscard]] events::Nanos next() const { return events::nanos_of(next_end()); }
  // Those who are done by now, in the order in which they were, and equal ones by their number.
  std::vector<std::int64_t> take_done(events::Nanos now);

 private:
  using Order = std::set<std::pair<double, std::int64_t>>;
  struct Use {
    double rate = 0;   // its own, which it has where that is below the fair share
    double until = 0;  // of its own rate: the time of its end; of a fair share: the level at its end
    bool shares = false;
  };

  [[nodiscard]] double next_end() const;
  void pass(double now);
  void balance(double now);
  void put(std::int64_t user, double left, Use use, double now);
  double take(std::int64_t user, double now);  // what is left of it
  [[nodiscard]] double fair_rate() const;

  double capacity_;
  double now_ = 0;
  double level_ = 0;    // what one who had had the fair share since the beginning would have got
  double own_sum_ = 0;  // of the rates of those at their own
  std::map<std::int64_t, Use> uses_ = {};
  Order own_ends_ = {};
  Order own_rates_ = {};
  Order shared_ends_ = {};
  Order shared_rates_ = {};
};

}  // namespace sextant::federated
