#include "sextant/scaling/placement.h"

#include <algorithm>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr std::size_t kMostNodes = 1 << 16;

[[noreturn]] void refuse(std::string_view text) {
  throw InputError({}, "'" + std::string(text) + "' is not a placement",
                   "GPUs on each node: '44', or '4,4,12' for nodes with more than 9");
}

std::vector<std::string> parts_of(std::string_view text) {
  for (const char separator : {',', '+', ' '}) {
    if (text.find(separator) != std::string_view::npos) return split(text, separator);
  }
  std::vector<std::string> digits;
  for (const char c : text) digits.emplace_back(1, c);
  return digits;
}

}  // namespace

int Placement::count() const {
  return std::accumulate(gpus.begin(), gpus.end(), 0);
}

int Placement::largest() const {
  return gpus.empty() ? 0 : *std::ranges::max_element(gpus);
}

int Placement::smallest() const {
  return gpus.empty() ? 0 : *std::ranges::min_element(gpus);
}

std::string Placement::text() const {
  const bool digits = largest() <= 9;
  std::string text;
  for (const int n : gpus) {
    if (!digits && !text.empty()) text += ',';
    text += std::to_string(n);
  }
  // One node with many GPUs would read as one node for each digit.
  return !digits && nodes() == 1 ? text + ',' : text;
}

Placement parse_placement(std::string_view text) {
  const auto whole = trim(text);
  Placement placement;
  auto parts = parts_of(whole);
  if (parts.size() > 1 && trim(parts.back()).empty()) parts.pop_back();
  if (parts.empty() || parts.size() > kMostNodes) refuse(text);
  std::int64_t total = 0;
  for (const auto& part : parts) {
    const auto n = to_integer(trim(part));
    if (!n || *n < 1 || *n > kMostGpus) refuse(text);
    total += *n;
    placement.gpus.push_back(static_cast<int>(*n));
  }
  if (total > kMostGpus) refuse(text);
  return placement;
}

Placement even_placement(std::int64_t count, std::int64_t nodes) {
  if (count < 1 || count > kMostGpus) {
    throw InputError("so many GPUs make no placement: " + std::to_string(count));
  }
  if (nodes < 1 || nodes > count || nodes > static_cast<std::int64_t>(kMostNodes)) {
    throw InputError(std::to_string(count) + " GPUs cannot stand on " + std::to_string(nodes) + " nodes");
  }
  Placement placement;
  for (std::int64_t i = 0; i < nodes; ++i) {
    placement.gpus.push_back(static_cast<int>(count / nodes + (i < count % nodes ? 1 : 0)));
  }
  return placement;
}

}  // namespace sextant
