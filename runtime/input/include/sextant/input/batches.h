// Batches in a given order, read ahead by threads of their own if asked. The order of samples depends on the
// seed and the epoch alone: worker w of W takes its slice of every global batch, so that W workers see
// together what one worker with W times the batch sees.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sextant/input/sample_set.h"

namespace sextant::input {

struct Batch {
  std::vector<float> values;         // batch x channels x height x width
  std::vector<std::int64_t> labels;  // batch
};

struct BatchOptions {
  std::int64_t batch = 32;  // of this worker
  std::int64_t worker = 0;
  std::int64_t workers = 1;
  std::int64_t prefetch = 0;       // batches read ahead; 0: read when asked
  std::int64_t readers = 1;        // threads, with prefetch
  std::int64_t cache_samples = 0;  // decoded samples kept (filled once, never evicted); -1: all
  bool shuffle = true;
  std::uint64_t seed = 0;
};

class BatchSource {
 public:
  virtual ~BatchSource() = default;
  // Batch `index` counted over all epochs; an epoch has batches_per_epoch() whole global batches, the rest is
  // left out. Called with rising indices; starting again at another index is allowed (after a failure).
  virtual const Batch& next(std::int64_t index) = 0;
  [[nodiscard]] virtual std::int64_t batches_per_epoch() const = 0;
};

// The data set must outlive the source. InputError where not one global batch fits.
std::unique_ptr<BatchSource> make_batches(const SampleSet& dataset, const BatchOptions& options);

}  // namespace sextant::input
