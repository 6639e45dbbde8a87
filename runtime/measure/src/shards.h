// Which parameter server holds what. A server waits for its largest part, so tensors larger than M/(4S) are
// cut, and pieces go, longest first, to the server that has least (Graham 1969): no server then holds more
// than 5/4 of its fair share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sextant/measure/replica.h"

namespace sextant::measure {

struct ParameterPiece {
  std::size_t offset = 0;  // in the flat arrays, values
  std::size_t count = 0;
  std::size_t tensor = 0;
  std::int64_t server = 0;
};

// Pieces of all tensors, in the order of the flat arrays.
std::vector<ParameterPiece> plan_shards(std::span<const TensorPart> tensors, std::int64_t servers);

// Values from one place of the flat arrays on.
struct FlatRun {
  std::size_t offset = 0;
  std::size_t count = 0;
};

// Pieces of one server that travel in one message.
struct ShardBucket {
  std::int64_t server = 0;
  std::size_t index = 0;  // among the buckets of its server
  std::size_t count = 0;  // values
  std::size_t last_tensor = 0;
  std::vector<FlatRun> runs = {};  // neighbours are one run
};

// Buckets of up to `bucket_mb` MiB, at least one piece each, in the order in which the backward pass
// completes them; buckets of one server are in the order of their index.
std::vector<ShardBucket> make_shard_buckets(std::span<const ParameterPiece> pieces, double bucket_mb);

}  // namespace sextant::measure
