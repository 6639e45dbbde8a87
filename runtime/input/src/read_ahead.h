// Batches that threads fill while the caller works: a ring of prefetch + 1 places, of which the caller holds
// one. Each thread claims the next batch that is not begun, so that order and contents are those of reading
// one after the other, whatever the number of threads.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "batch_filler.h"

namespace sextant::input {

class ReadAhead final : public BatchSource {
 public:
  ReadAhead(const SampleSet& samples, const BatchOptions& options);
  ~ReadAhead() override;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // What a thread could not read is thrown here, for the batch that it concerns; asking again tries again.
  const Batch& next(std::int64_t index) override;
  [[nodiscard]] std::int64_t batches_per_epoch() const override { return filler_.batches_per_epoch(); }

 private:
  struct Place {
    Batch batch;
    bool ready = false;
    std::exception_ptr error;
  };
  Place& place(std::int64_t index) { return places_[static_cast<std::size_t>(index) % places_.size()]; }
  void start_threads(std::int64_t count);
  void stop_threads();
  void read_batches();
  void fill_claimed(std::int64_t index, std::unique_lock<std::mutex>& lock);
  void restart(std::int64_t index, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool may_claim() const { return started_ && next_claim_ <= held_ + prefetch_; }

  BatchFiller filler_;
  std::int64_t prefetch_;
  std::vector<Place> places_;
  std::mutex mutex_;                // of everything below, and of `ready` and `error`
  std::condition_variable claims_;  // a batch may be claimed, or it is time to stop
  std::condition_variable filled_;  // a batch is ready, or no thread is at work any more
  bool started_ = false;            // at a first batch that the caller named
  bool stop_ = false;
  std::int64_t held_ = -1;  // by the caller
  std::int64_t next_claim_ = 0;
  std::int64_t at_work_ = 0;  // threads
  std::vector<std::thread> threads_;
};

}  // namespace sextant::input
