// Gradients travel in buckets: consecutive tensors, in the order in which the backward pass finishes them, up
// to a size that keeps the cost of starting a transfer small and yet lets the first start early (Li et al.,
// "PyTorch Distributed", VLDB 2020).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sextant/measure/replica.h"

namespace sextant::measure {

struct GradientBucket {
  std::size_t offset = 0;       // in the flat arrays, values
  std::size_t count = 0;        // values
  std::size_t last_tensor = 0;  // the bucket is complete when this one is
};

// A bucket holds at least one tensor; a tensor larger than `bucket_mb` MiB makes a bucket of its own. Tensors
// without values make none.
std::vector<GradientBucket> make_buckets(std::span<const TensorPart> tensors, double bucket_mb);

}  // namespace sextant::measure
