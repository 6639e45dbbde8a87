// Who is on which node when, as an SVG picture: a row for each node. While the node is on, its machine stands
// at the foot of the row in grey; jobs stand above, each as high as its share of the GPUs, in another colour
// where it ends after its due date.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sextant::report {

// Times are seconds since the left end of the picture.
struct MachineBar {
  std::int32_t node = 0;
  double begin = 0;
  double end = 0;
  std::string machine = {};
};

struct JobBar {
  std::int32_t node = 0;
  double begin = 0;
  double end = 0;
  std::int32_t gpus = 1;
  std::int32_t of = 1;  // GPUs of the node
  std::string job = {};
  bool late = false;
  std::optional<double> due = {};       // marked if it is given
  std::optional<double> late_end = {};  // a whisker until then
};

struct NodePlot {
  std::string title;
  std::string x_label;
  std::int32_t nodes = 0;
  double end = 0;  // right end of the picture
  std::vector<MachineBar> machines = {};
  std::vector<JobBar> jobs = {};  // by begin
};

std::string to_svg(const NodePlot& plot);

}  // namespace sextant::report
