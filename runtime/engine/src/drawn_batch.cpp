#include "drawn_batch.h"

#include <algorithm>

#include "sextant/core/rng.h"

namespace sextant::engine {
namespace {

constexpr std::int64_t kFallbackRange = 2;  // ids that nothing looks up: flags

Rng stream_of(const Draw& draw) {
  return Rng(draw.seed).stream(draw.purpose, static_cast<std::uint64_t>(draw.node));
}

}  // namespace

std::int64_t token_range(const nets::Graph& graph, nets::NodeId input) {
  std::int64_t range = 0;
  for (const nets::Node& node : graph.nodes) {
    const auto* table = std::get_if<nets::Embedding>(&node.op);
    if (table == nullptr || node.inputs.at(0) != input) continue;
    range = range == 0 ? table->entries : std::min(range, table->entries);
  }
  return range == 0 ? kFallbackRange : range;
}

std::vector<std::int64_t> drawn_indices(const Draw& draw, std::int64_t count, std::int64_t range) {
  Rng rng = stream_of(draw);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
  for (auto& id : ids) id = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(range)));
  return ids;
}

std::vector<float> drawn_numbers(const Draw& draw, std::int64_t count) {
  Rng rng = stream_of(draw);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (auto& number : numbers) number = static_cast<float>(rng.normal());
  return numbers;
}

}  // namespace sextant::engine
