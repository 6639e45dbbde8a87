// Diminishing returns: throughput over a count n by Amdahl's law X = l n / (1 + s (n-1)), Gunther's universal
// scalability law with k n (n-1) added below (Guerrilla Capacity Planning, 2007), Gustafson's X = l (s +
// (1-s) n) and a straight line. Fitted to log X, since throughput varies in proportion; 0 <= s <= 1, k >= 0
// throughout.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"
#include "sextant/stats/interval.h"

namespace sextant::analysis {

struct CountPoint {
  double count = 1;       // at least 1
  double throughput = 0;  // positive
};

struct ScalingCurve {
  std::string law;                  // "linear", "amdahl", "usl", "gustafson"
  double rate = 0;                  // l: throughput of one
  double serial = 0;                // s
  double crosstalk = 0;             // k; of usl
  double relative_error = 0;        // root mean square of log residuals
  std::optional<double> aicc = {};  // nothing: too few points for this many parameters
  // Throughput is largest at sqrt((1 - s) / k); nothing: it grows on.
  std::optional<double> best_count = {};
  std::optional<stats::Interval> best_count_interval =
      {};                                 // by bootstrap of residuals; the upper end may be infinite
  std::optional<double> half_count = {};  // where a unit does half of what one alone does

  [[nodiscard]] double throughput(double count) const;
};

struct ScalingCurves {
  std::vector<ScalingCurve> curves = {};  // smallest AICc first, those without it last
  std::vector<CountPoint> points = {};
  double largest_count = 0;  // measured: beyond it a best count is extrapolated
};

// At least three points with two different counts; InputError for counts below 1 and throughputs that are not
// positive.
ScalingCurves fit_scaling_curves(std::span<const CountPoint> points, double level = 0.95,
                                 std::uint64_t seed = 0);

struct WorkloadScaling {
  std::string workload;  // empty: all rows
  std::string count;     // name of the factor
  ScalingCurves fits;
};
// Over the numeric factor `count`, per workload where there is a group. The response is a throughput where
// the table maximises it, else a time, or a cost of as much work: its inverse is fitted.
std::vector<WorkloadScaling> scaling_of(const AnalysisTable& table, const std::string& count, double level,
                                        std::uint64_t seed);

}  // namespace sextant::analysis
