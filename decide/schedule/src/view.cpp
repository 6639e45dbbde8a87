#include "sextant/schedule/view.h"

namespace sextant::schedule {

std::int32_t fastest_type(const JobView& job, std::span<const TypeView> types) {
  std::int32_t best = -1;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (job.rate[t] <= 0) continue;
    if (best < 0 || job.rate[t] > job.rate[best]) best = static_cast<std::int32_t>(t);
  }
  return best;
}

double best_remaining_s(const JobView& job, std::size_t types, double now_s) {
  double rate = 0;
  for (std::size_t t = 0; t < types; ++t) rate = job.rate[t] > rate ? job.rate[t] : rate;
  return rate > 0 ? job.remaining_at(now_s) / rate : std::numeric_limits<double>::infinity();
}

}  // namespace sextant::schedule
