#include "buckets.h"

#include "sextant/core/error.h"

namespace sextant::measure {

std::vector<GradientBucket> make_buckets(std::span<const TensorPart> tensors, double bucket_mb) {
  if (!(bucket_mb > 0)) throw InputError("the size of a bucket must be above 0");
  const double most = bucket_mb * 1024 * 1024 / sizeof(float);
  std::vector<GradientBucket> buckets;
  bool open = false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto count = static_cast<std::size_t>(tensors[i].count);
    if (count == 0) continue;
    if (open && static_cast<double>(buckets.back().count + count) > most) open = false;
    if (!open) buckets.push_back({static_cast<std::size_t>(tensors[i].offset), 0, i});
    open = true;
    buckets.back().count += count;
    buckets.back().last_tensor = i;
  }
  return buckets;
}

}  // namespace sextant::measure
