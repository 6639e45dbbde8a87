#include "sextant/jobs/placement.h"

#include <algorithm>
#include <numeric>

#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr std::int64_t kMostOnANode = 1'000'000;

std::int64_t gpus_of(std::string_view part, std::string_view whole, const SourcePos& at) {
  const auto gpus = to_integer(trim(part));
  if (gpus && *gpus >= 1 && *gpus <= kMostOnANode) return *gpus;
  throw InputError(at, "'" + std::string(whole) + "' is not a placement",
                   "GPUs on each node: '44' or '134' as digits, '16+16' where a node has ten or more");
}

}  // namespace

std::int64_t Placement::total() const {
  return std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
}

std::int64_t Placement::fullest() const {
  return *std::ranges::max_element(gpus);
}

bool Placement::even() const {
  return std::ranges::all_of(gpus, [this](std::int64_t on_node) { return on_node == gpus.front(); });
}

Placement parse_placement(std::string_view text, const SourcePos& at) {
  Placement placement;
  placement.gpus.clear();
  const std::string_view body = trim(text);
  if (body.find('+') != std::string_view::npos) {
    for (const auto& part : split(body, '+')) placement.gpus.push_back(gpus_of(part, body, at));
  } else {
    for (std::size_t i = 0; i < body.size(); ++i) {
      placement.gpus.push_back(gpus_of(body.substr(i, 1), body, at));
    }
  }
  if (placement.gpus.empty()) gpus_of("", body, at);
  if (placement.nodes() > kMostNodes) throw InputError(at, "more nodes than any cluster has");
  return placement;
}

std::string to_string(const Placement& placement) {
  const bool digits = placement.fullest() < 10;
  std::string text;
  for (const std::int64_t gpus : placement.gpus) {
    if (!digits && !text.empty()) text += '+';
    text += std::to_string(gpus);
  }
  return text;
}

Placement spread_evenly(std::int64_t count, std::int64_t nodes, const SourcePos& at) {
  if (nodes < 1 || nodes > kMostNodes || count % nodes != 0) {
    throw InputError(at,
                     std::to_string(count) + " GPUs do not spread evenly over " + std::to_string(nodes) +
                         (nodes == 1 ? " node" : " nodes"),
                     "say how many each node has with --placement, as in 134");
  }
  return {std::vector<std::int64_t>(static_cast<std::size_t>(nodes), count / nodes)};
}

Placement fill_nodes(std::int64_t count, std::int64_t per_node) {
  Placement placement{std::vector<std::int64_t>(static_cast<std::size_t>(count / per_node), per_node)};
  if (count % per_node != 0) placement.gpus.push_back(count % per_node);
  return placement;
}

}  // namespace sextant
