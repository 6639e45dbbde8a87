#include "sextant/predict/max_batch.h"

#include "sextant/predict/memory.h"

namespace sextant::predict {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30;  // the largest batch that a network takes

}  // namespace

std::int64_t largest_fitting(const std::function<Bytes(std::int64_t)>& need, Bytes available) {
  const auto fits = [&](std::int64_t batch) { return need(batch) <= available; };
  if (!fits(1)) return 0;
  std::int64_t good = 1;
  std::int64_t bad = 2;
  while (bad <= kLargest && fits(bad)) {
    good = bad;
    bad *= 2;
  }
  if (bad > kLargest) return good;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

Bytes BatchMemory::need(std::int64_t batch) {
  if (const auto it = known_.find(batch); it != known_.end()) return it->second;
  job_.sizes.batch = batch;
  const nets::Graph graph = build(network_, job_.sizes);
  const nets::GraphCost counted = cost(graph, job_.precision);
  return known_.emplace(batch, memory_need(graph, counted, job_).total()).first->second;
}

std::int64_t BatchMemory::max_batch(Bytes available) {
  return largest_fitting([this](std::int64_t batch) { return need(batch); }, available);
}

}  // namespace sextant::predict
