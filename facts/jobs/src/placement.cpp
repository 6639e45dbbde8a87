#include "sextant/jobs/placement.h"

#include <algorithm>
#include <numeric>

#include "sextant/core/text.h"

namespace sextant::jobs {
namespace {

constexpr std::int64_t kMostOnANode = 1'000'000;

std::int64_t gpus_of(std::string_view part, std::string_view whole, const SourcePos& at) {
  const auto gpus = to_integer(trim(part));
  if (gpus && *gpus >= 1 && *gpus <= kMostOnANode) return *gpus;
  throw InputError(at, "'" + std::string(whole) + "' is not a placement",
                   "GPUs on each node: '44' or '134' as digits, '16+16' where a node has ten or more");
}

std::vector<std::string> parts_of(std::string_view whole) {
  for (const char separator : {'+', ',', ' '}) {
    if (whole.find(separator) == std::string_view::npos) continue;
    auto parts = split(whole, separator);
    if (parts.size() > 1 && trim(parts.back()).empty()) parts.pop_back();
    return parts;
  }
  std::vector<std::string> digits;
  for (const char c : whole) digits.emplace_back(1, c);
  return digits;
}

}  // namespace

std::int64_t Placement::total() const {
  return std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
}

std::int64_t Placement::nodes() const {
  return std::ranges::count_if(gpus, [](std::int64_t used) { return used > 0; });
}

std::int64_t Placement::fullest() const {
  return gpus.empty() ? 0 : *std::ranges::max_element(gpus);
}

std::int64_t Placement::emptiest() const {
  return gpus.empty() ? 0 : *std::ranges::min_element(gpus);
}

bool Placement::even() const {
  return std::ranges::all_of(gpus, [this](std::int64_t on_node) { return on_node == gpus.front(); });
}

Placement parse_placement(std::string_view text, const SourcePos& at) {
  Placement placement;
  placement.gpus.clear();
  const std::string_view whole = trim(text);
  for (const auto& part : parts_of(whole)) placement.gpus.push_back(gpus_of(part, whole, at));
  if (placement.gpus.empty()) gpus_of("", whole, at);
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
  // One node with many GPUs would read as a node for each digit.
  return !digits && placement.gpus.size() == 1 ? text + '+' : text;
}

Placement spread_evenly(std::int64_t count, std::int64_t nodes, const SourcePos& at) {
  if (nodes < 1 || nodes > kMostNodes || count % nodes != 0) {
    throw InputError(at,
                     std::to_string(count) + " GPUs do not spread evenly over " + std::to_string(nodes) +
                         (nodes == 1 ? " node" : " nodes"),
                     "say how many each node has with `placement`, as in 134");
  }
  Placement placement;
  placement.gpus.assign(static_cast<std::size_t>(nodes), count / nodes);
  return placement;
}

Placement Placement::packed(std::int64_t count, std::int64_t per_node) {
  Placement placement;
  placement.gpus.assign(static_cast<std::size_t>(count / per_node), per_node);
  if (count % per_node != 0) placement.gpus.push_back(count % per_node);
  return placement;
}

Placement place(const PlacementRequest& r) {
  if (r.count && *r.count > kMostNodes * r.per_node) {
    throw InputError(at_field("count"), "more GPUs than any cluster has: " + std::to_string(*r.count));
  }
  if (r.placement) {
    const auto contradicts = [&](const char* field, std::int64_t said, std::int64_t has) {
      if (said == has) return;
      throw InputError(at_field(field), std::to_string(said) + " contradicts the placement '" +
                                            to_string(*r.placement) + "', which has " + std::to_string(has));
    };
    contradicts("count", r.count.value_or(r.placement->total()), r.placement->total());
    contradicts("nodes", r.nodes.value_or(r.placement->nodes()), r.placement->nodes());
    return *r.placement;
  }
  if (r.nodes) return spread_evenly(r.count.value_or(*r.nodes * r.on_each_node), *r.nodes, at_field("nodes"));
  return Placement::packed(r.count.value_or(1), r.per_node);
}

}  // namespace sextant::jobs
