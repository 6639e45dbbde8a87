// How a job is spread over devices: where they stand, what joins them, and the parallel strategy.
// One device is what a fresh Layout says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/jobs/placement.h"

namespace sextant::jobs {

struct Layout {
  Placement placement = {};
  std::string strategy = "data";  // as users write it: "data", "pipeline:micro=8"
  std::string machine = {};       // type of the nodes, by its id; empty: GPUs of which only the kind is known
  std::string link = {};          // between nodes; empty: the machine's own
  std::vector<std::string> other_gpus = {};  // kinds besides the job's own: placement.classes 1, 2, ...

  [[nodiscard]] std::int64_t devices() const { return placement.total(); }
  bool operator==(const Layout&) const = default;
};

// "v100+t4": kinds of GPU, each on an equal share of the nodes, in this order. Gives the first and notes the
// others in the layout; InputError, at field "gpu", where the nodes do not divide.
std::string mix_gpus(std::string_view names, Layout& layout);

}  // namespace sextant::jobs
