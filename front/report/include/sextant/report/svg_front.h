// Offers as a picture: time across, cost up, the Pareto front as a line of numbered points with their names.
// The same offers give the same bytes.
#pragma once

#include <string>
#include <vector>

namespace sextant::report {

struct FrontPoint {
  double time_s = 0;
  double cost_usd = 0;
  bool on_front = false;
  std::string label;  // shown on the front only
};

struct FrontPlot {
  std::string title;
  std::vector<FrontPoint> points;  // at least one, all positive
};

std::string to_svg(const FrontPlot& plot);

}  // namespace sextant::report
