// Decoded samples kept in memory. An epoch takes every sample once, so what is evicted is what would have
// been used next: the cache is filled once and nothing leaves it, and with room for a share c of the samples
// exactly c of the reads hit (MinIO; Mohan et al., VLDB 2021).
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "sextant/input/sample_set.h"

namespace sextant::input {

class CachedSamples final : public SampleSet {
 public:
  // `samples` must outlive it. At most `room` samples are kept.
  CachedSamples(const SampleSet& samples, std::int64_t room);
  [[nodiscard]] std::int64_t size() const override { return samples_.size(); }
  [[nodiscard]] std::int64_t classes() const override { return samples_.classes(); }
  [[nodiscard]] SampleShape shape() const override { return samples_.shape(); }
  [[nodiscard]] PixelScale scale() const override { return samples_.scale(); }
  std::int64_t read(std::int64_t index, std::span<float> values) const override;
  [[nodiscard]] std::int64_t kept() const;

 private:
  enum class State : std::uint8_t { absent, being_kept, kept };
  struct Entry {
    std::atomic<State> state = State::absent;
    std::int64_t label = 0;
    std::unique_ptr<float[]> values;
  };
  void keep(Entry& entry, std::int64_t label, std::span<const float> values) const;

  const SampleSet& samples_;
  std::int64_t room_;
  mutable std::atomic<std::int64_t> admitted_ = 0;
  mutable std::vector<Entry> entries_;  // what a read leaves behind changes no result
};

}  // namespace sextant::input
