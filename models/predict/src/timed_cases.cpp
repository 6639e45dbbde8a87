#include "sextant/predict/timed_cases.h"

#include <cmath>

#include "sextant/stats/distributions.h"

namespace sextant::predict {
namespace {

// Steps of one job on one machine, after warm-up, differ by a few per cent from run to run; this counts as
// so many runs.
constexpr double kUsualSpread = 0.03;  // standard deviation of log time
constexpr double kUsualRuns = 4;
constexpr double kTimedLevel = 0.9;

std::string case_key(const Observation& o, jobs::Optimizer optimizer) {
  const CaseLabels& l = o.labels;
  return o.instance + "|" + l.net + "|" + l.precision + "|" + l.mode + "|" + std::to_string(l.size) + "|" +
         std::to_string(l.samples) + "|" + to_string(optimizer);
}

}  // namespace

void TimedCases::add(const Observation& timed, jobs::Optimizer optimizer) {
  Sum& sum = sums_[case_key(timed, optimizer)];
  ++sum.timings;
  const double off = std::log(timed.seconds) - sum.mean;
  sum.mean += off / static_cast<double>(sum.timings);
  sum.squares += off * (std::log(timed.seconds) - sum.mean);
}

std::optional<TimedCases::Answer> TimedCases::find(const Observation& question,
                                                   jobs::Optimizer optimizer) const {
  const auto found = sums_.find(case_key(question, optimizer));
  if (found == sums_.end()) return std::nullopt;
  const Sum& sum = found->second;
  const auto n = static_cast<double>(sum.timings);
  const double freedom = kUsualRuns + n - 1;
  const double variance = (kUsualRuns * kUsualSpread * kUsualSpread + sum.squares) / freedom;
  const double quantile = stats::two_sided_quantile(stats::StudentT{freedom}, kTimedLevel);
  return Answer{.log_seconds = sum.mean,
                .half_width = quantile * std::sqrt(variance * (1 + 1 / n)),
                .timings = sum.timings};
}

}  // namespace sextant::predict
