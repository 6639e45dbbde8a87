#include "parameter_server.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sextant::parallel {

double harmonic(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = n; i >= 1; --i) sum += 1 / static_cast<double>(i);
  return sum;
}

Seconds expected_slowest(Seconds tail, std::int64_t workers, std::int64_t backups) {
  return (harmonic(workers) - harmonic(backups)) * tail;
}

Hertz asynchronous_rate(std::span<const Seconds> cycles) {
  Hertz rate{};
  for (const Seconds cycle : cycles) rate += Hertz{1 / cycle.value};
  return rate;
}

std::vector<Bytes> equal_shards(Bytes model, std::size_t servers) {
  return std::vector<Bytes>(servers, model / static_cast<double>(servers));
}

std::vector<Bytes> proportional_shards(Bytes model, std::span<const Bandwidth> rates) {
  const Bandwidth sum = std::accumulate(rates.begin(), rates.end(), Bandwidth{});
  std::vector<Bytes> shards;
  for (const Bandwidth rate : rates) shards.push_back(rate / sum * model);
  return shards;
}

std::vector<Bytes> tensor_shards(std::span<const Bytes> tensors, std::size_t servers) {
  const Bytes model = std::accumulate(tensors.begin(), tensors.end(), Bytes{});
  const Bytes largest = model / (4 * static_cast<double>(servers));
  std::vector<Bytes> pieces;
  for (const Bytes tensor : tensors) {
    const double slices = largest > Bytes{} ? std::max(1.0, std::ceil(tensor / largest)) : 1;
    for (double i = 0; i < slices; ++i) pieces.push_back(tensor / slices);
  }
  std::ranges::sort(pieces, std::greater<>());
  std::vector<Bytes> shards(servers);
  for (const Bytes piece : pieces) *std::ranges::min_element(shards) += piece;
  return shards;
}

Seconds shards_time(std::span<const Bytes> shards, std::span<const Bandwidth> rates, double workers) {
  Seconds slowest{};
  for (std::size_t i = 0; i < shards.size(); ++i) {
    slowest = std::max(slowest, workers * shards[i] / rates[i]);
  }
  return slowest;
}

}  // namespace sextant::parallel
