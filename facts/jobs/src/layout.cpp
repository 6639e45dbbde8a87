#include "sextant/jobs/layout.h"

#include "sextant/core/text.h"

namespace sextant::jobs {

std::string mix_gpus(std::string_view names, Layout& layout) {
  std::vector<std::string> kinds = split(names, '+');
  for (std::string& kind : kinds) kind = std::string(trim(kind));
  if (kinds.size() < 2) return std::string(names);
  const auto nodes = static_cast<std::size_t>(layout.placement.nodes());
  if (nodes % kinds.size() != 0) {
    throw InputError(at_field("gpu"),
                     std::to_string(kinds.size()) + " kinds of GPU do not share " + std::to_string(nodes) +
                         (nodes == 1 ? " node" : " nodes") + " evenly",
                     "with '`gpu` v100+t4 `placement` 44' each kind has a node");
  }
  layout.placement.classes.resize(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    layout.placement.classes[node] = node / (nodes / kinds.size());
  }
  layout.other_gpus.assign(kinds.begin() + 1, kinds.end());
  return kinds.front();
}

}  // namespace sextant::jobs
