#include "groups.h"

#include <algorithm>

namespace sextant::parallel {

bool inside_nodes(const jobs::Placement& placement, std::int64_t inner) {
  return std::ranges::all_of(placement.gpus, [&](std::int64_t gpus) { return gpus % inner == 0; });
}

collectives::Group whole_group(const jobs::Placement& placement) {
  return {placement.total(), placement.nodes(), 1};
}

Groups split_groups(const jobs::Placement& placement, std::int64_t inner) {
  const std::int64_t outer = placement.total() / inner;
  const std::int64_t nodes = placement.nodes();
  const std::int64_t fullest = placement.fullest();
  if (inside_nodes(placement, inner)) {
    return {{inner, 1, 1}, {outer, std::min(nodes, outer), static_cast<double>(inner)}};
  }
  const std::int64_t spanned = std::clamp((inner + fullest - 1) / fullest, std::int64_t{2}, nodes);
  // Several inner groups meet at a card where nodes hold parts of more than one.
  const auto meeting = static_cast<double>(std::max(std::int64_t{1}, fullest / inner));
  const std::int64_t reached = std::min(nodes, outer);
  return {{inner, spanned, meeting}, {outer, reached, static_cast<double>(std::min(inner, fullest))}};
}

std::int64_t usual_group(const jobs::Placement& placement) {
  const std::int64_t total = placement.total();
  for (std::int64_t size = placement.fullest(); size > 1; --size) {
    if (total % size == 0) return size;
  }
  return 1;
}

std::int64_t group_size(std::int64_t value, const jobs::Placement& placement) {
  return value > 0 ? value : usual_group(placement);
}

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 1; i <= number; ++i) {
    if (number % i == 0) found.push_back(i);
  }
  return found;
}

}  // namespace sextant::parallel
