// How a job is spread over devices: where they stand, what joins them, and the parallel strategy.
// One device is what a fresh Layout says.
#pragma once

#include <cstdint>
#include <string>

#include "sextant/jobs/placement.h"

namespace sextant {

struct Layout {
  Placement placement = {};
  std::string strategy = "data";  // as users write it: "data", "pipeline:micro=8"
  std::string machine = {};       // type of the nodes, by its id; empty: GPUs of which only the kind is known
  std::string network = {};       // link between nodes; empty: the machine's own

  [[nodiscard]] std::int64_t devices() const { return placement.total(); }
  bool operator==(const Layout&) const = default;
};

}  // namespace sextant
