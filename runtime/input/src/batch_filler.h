// Which samples batch `index` of a worker has, and how they get into it. Safe to call from many threads, each
// with a batch of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "cached_samples.h"
#include "sample_order.h"
#include "sextant/input/batches.h"

namespace sextant::input {

class BatchFiller {
 public:
  // InputError for options that cannot be met.
  BatchFiller(const SampleSet& samples, const BatchOptions& options);
  void fill(std::int64_t index, Batch& batch);
  [[nodiscard]] std::int64_t batches_per_epoch() const { return per_epoch_; }

 private:
  BatchOptions options_;
  std::unique_ptr<CachedSamples> cache_;  // none: not asked for
  const SampleSet& samples_;              // through the cache, if there is one
  SampleOrder order_;
  std::int64_t per_epoch_ = 0;
};

}  // namespace sextant::input
