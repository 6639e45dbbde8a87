#include "sextant/input/batches.h"

#include "batch_filler.h"
#include "read_ahead.h"

namespace sextant::input {
namespace {

class ReadWhenAsked final : public BatchSource {
 public:
  ReadWhenAsked(const SampleSet& samples, const BatchOptions& options) : filler_(samples, options) {}
  const Batch& next(std::int64_t index) override {
    filler_.fill(index, batch_);
    return batch_;
  }
  [[nodiscard]] std::int64_t batches_per_epoch() const override { return filler_.batches_per_epoch(); }

 private:
  BatchFiller filler_;
  Batch batch_;
};

}  // namespace

std::unique_ptr<BatchSource> make_batches(const SampleSet& dataset, const BatchOptions& options) {
  if (options.prefetch == 0) return std::make_unique<ReadWhenAsked>(dataset, options);
  return std::make_unique<ReadAhead>(dataset, options);
}

}  // namespace sextant::input
