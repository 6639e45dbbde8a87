// Offers as a picture: time across, cost up, the Pareto front as a line of numbered points with their names
// and the intervals of their times. The same offers give the same bytes.
#pragma once

#include <string>
#include <vector>

namespace sextant::report {

struct FrontPoint {
  double time_s = 0;
  double cost_usd = 0;
  bool on_front = false;
  std::string label;  // shown on the front only
  // 90 % interval of the time, drawn on the front only; both 0: none. Infinite: no upper end is known.
  double low_s = 0;
  double high_s = 0;
};

struct FrontPlot {
  std::string title;
  std::vector<FrontPoint> points;  // at least one, all positive
  double deadline_s = 0;           // 0: none, as the budget
  double budget_usd = 0;
};

std::string to_svg(const FrontPlot& plot);

}  // namespace sextant::report
