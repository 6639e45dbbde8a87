// Where the devices of a job stand and how they share it, as commands declare it; lists give the product.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/machine.h"
#include "sextant/cli/command.h"
#include "sextant/jobs/layout.h"

namespace sextant {

struct LayoutArgs {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> nodes;
  std::vector<std::string> placements;
  std::vector<std::string> strategies = {"data"};
  std::optional<std::string> network;

  // Whether anything was asked but a single device.
  [[nodiscard]] bool several() const { return !counts.empty() || !nodes.empty() || !placements.empty(); }
};

std::vector<Option> layout_options(LayoutArgs& args);

// Every placement with every strategy. Nodes are machines of this type, if one is given.
std::vector<Layout> layouts(const LayoutArgs& args, const Machine* machine);

// For files of cases: at most one of each. InputError otherwise.
Layout only_layout(const LayoutArgs& args);

}  // namespace sextant
