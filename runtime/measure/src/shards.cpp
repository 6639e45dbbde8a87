#include "shards.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sextant/core/error.h"

namespace sextant::measure {
namespace {

std::vector<ParameterPiece> cut(std::span<const TensorPart> tensors, std::size_t most) {
  std::vector<ParameterPiece> pieces;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto count = static_cast<std::size_t>(tensors[i].count);
    const std::size_t parts = (count + most - 1) / most;
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t begin = count * k / parts;
      pieces.push_back(
          {static_cast<std::size_t>(tensors[i].offset) + begin, count * (k + 1) / parts - begin, i});
    }
  }
  return pieces;
}

}  // namespace

std::vector<ParameterPiece> plan_shards(std::span<const TensorPart> tensors, std::int64_t servers) {
  if (servers < 1) throw InputError("parameters need at least one server");
  std::size_t total = 0;
  for (const TensorPart& tensor : tensors) total += static_cast<std::size_t>(tensor.count);
  std::vector<ParameterPiece> pieces =
      cut(tensors, std::max<std::size_t>(1, total / (4 * static_cast<std::size_t>(servers))));

  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return pieces[i].count; });
  std::vector<std::size_t> load(static_cast<std::size_t>(servers));
  for (const std::size_t i : order) {
    const auto least = std::ranges::min_element(load);
    *least += pieces[i].count;
    pieces[i].server = least - load.begin();
  }
  return pieces;
}

std::vector<ShardBucket> make_shard_buckets(std::span<const ParameterPiece> pieces, double bucket_mb) {
  if (!(bucket_mb > 0)) throw InputError("the size of a bucket must be above 0");
  const double most = bucket_mb * 1024 * 1024 / sizeof(float);
  std::vector<ShardBucket> buckets;
  std::map<std::int64_t, std::size_t> open;  // server → its last bucket
  for (const ParameterPiece& piece : pieces) {
    const auto last = open.find(piece.server);
    const bool fits =
        last != open.end() && static_cast<double>(buckets[last->second].count + piece.count) <= most;
    if (!fits) {
      const std::size_t index = last == open.end() ? 0 : buckets[last->second].index + 1;
      open[piece.server] = buckets.size();
      buckets.push_back({.server = piece.server, .index = index});
    }
    ShardBucket& bucket = buckets[open[piece.server]];
    bucket.count += piece.count;
    bucket.last_tensor = piece.tensor;
    if (!bucket.runs.empty() && bucket.runs.back().offset + bucket.runs.back().count == piece.offset) {
      bucket.runs.back().count += piece.count;
    } else {
      bucket.runs.push_back({piece.offset, piece.count});
    }
  }
  std::ranges::stable_sort(buckets, {}, &ShardBucket::last_tensor);
  return buckets;
}

}  // namespace sextant::measure
