#include "batch_filler.h"

#include <unistd.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace sextant::input {
namespace {

constexpr std::int64_t kMaxBatchValues = std::int64_t{1} << 40;
constexpr std::int64_t kMaxPrefetch = 1 << 20;
constexpr std::int64_t kMaxReaders = 1024;

void check_range(const char* what, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  throw InputError(SourcePos{}, std::string(what) + " is " + std::to_string(value) + ", not between " +
                                    std::to_string(low) + " and " + std::to_string(high));
}

void check_options(const SampleSet& samples, const BatchOptions& options) {
  check_range("samples of the data set", samples.size(), 1, std::numeric_limits<std::uint32_t>::max());
  check_range("batch", options.batch, 1, kMaxBatchValues / samples.shape().values());
  check_range("number of workers", options.workers, 1, 1 << 20);
  check_range("worker", options.worker, 0, options.workers - 1);
  check_range("prefetch", options.prefetch, 0, kMaxPrefetch);
  check_range("number of readers", options.readers, 1, kMaxReaders);
  check_range("cached samples", options.cache_samples, -1, std::numeric_limits<std::int64_t>::max());
  if (options.batch > samples.size() / options.workers) {
    throw InputError(SourcePos{},
                     "the data set has " + std::to_string(samples.size()) +
                         " samples, fewer than one batch of " + std::to_string(options.batch) +
                         " for each of " + std::to_string(options.workers) +
                         (options.workers == 1 ? " worker" : " workers"),
                     "a smaller batch, fewer workers, or more samples: synthetic:samples=N");
  }
}

std::unique_ptr<CachedSamples> make_cache(const SampleSet& samples, std::int64_t asked) {
  if (asked == 0) return nullptr;
  const std::int64_t room = asked < 0 ? samples.size() : std::min(asked, samples.size());
  const double needed =
      static_cast<double>(room) * static_cast<double>(samples.shape().values()) * sizeof(float);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > memory) {
    throw InputError(SourcePos{},
                     "a cache of " + std::to_string(room) + " decoded samples needs " +
                         std::to_string(static_cast<std::int64_t>(needed / 1e9)) + " GB, this machine has " +
                         std::to_string(static_cast<std::int64_t>(memory / 1e9)),
                     "fewer cached samples");
  }
  return std::make_unique<CachedSamples>(samples, room);
}

}  // namespace

BatchFiller::BatchFiller(const SampleSet& samples, const BatchOptions& options)
    : options_((check_options(samples, options), options)),
      cache_(make_cache(samples, options.cache_samples)),
      samples_(cache_ ? *cache_ : samples),
      order_(samples.size(), options.shuffle, options.seed),
      per_epoch_(samples.size() / (options.batch * options.workers)) {}

void BatchFiller::fill(std::int64_t index, Batch& batch) {
  if (index < 0) throw std::logic_error("batches are counted from 0");
  const auto count = static_cast<std::size_t>(options_.batch);
  const auto values = static_cast<std::size_t>(samples_.shape().values());
  batch.values.resize(count * values);
  batch.labels.resize(count);
  const EpochOrder order = order_.epoch(index / per_epoch_);
  const std::int64_t first =
      index % per_epoch_ * options_.batch * options_.workers + options_.worker * options_.batch;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t sample = (*order)[static_cast<std::size_t>(first) + i];
    batch.labels[i] = samples_.read(sample, std::span(batch.values).subspan(i * values, values));
  }
}

}  // namespace sextant::input
