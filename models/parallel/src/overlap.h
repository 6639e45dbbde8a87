// Overlap of the sum of gradients with the backward pass: one stream of communication, buckets in the
// order in which they are ready.
#pragma once

#include <algorithm>

#include "sextant/core/units.h"

namespace sextant::parallel {

struct Bucket {
  Seconds ready;
  Seconds cost;
};

// f_i = max(r_i, f_(i-1)) + c_i
constexpr Seconds bucket_finish(Seconds previous, const Bucket& bucket) {
  return std::max(bucket.ready, previous) + bucket.cost;
}

}  // namespace sextant::parallel
