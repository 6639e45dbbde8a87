#include "read_ahead.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace sextant::input {

ReadAhead::ReadAhead(const SampleSet& samples, const BatchOptions& options)
    : filler_(samples, options),
      prefetch_(options.prefetch),
      places_(static_cast<std::size_t>(options.prefetch) + 1) {
  start_threads(std::min(options.readers, options.prefetch));  // more would find nothing to claim
}

ReadAhead::~ReadAhead() {
  stop_threads();
}

void ReadAhead::start_threads(std::int64_t count) {
  threads_.reserve(static_cast<std::size_t>(count));
  try {
    for (std::int64_t i = 0; i < count; ++i) threads_.emplace_back([this] { read_batches(); });
  } catch (const std::system_error& error) {
    stop_threads();
    throw SystemError(std::string("no thread to read ahead: ") + error.what());
  }
}

void ReadAhead::stop_threads() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  claims_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ReadAhead::read_batches() {
  std::unique_lock lock(mutex_);
  while (true) {
    claims_.wait(lock, [this] { return stop_ || may_claim(); });
    if (stop_) return;
    fill_claimed(next_claim_++, lock);
  }
}

void ReadAhead::fill_claimed(std::int64_t index, std::unique_lock<std::mutex>& lock) {
  Place& mine = place(index);  // nobody else touches its batch until it is ready
  ++at_work_;
  lock.unlock();
  std::exception_ptr error;
  try {
    filler_.fill(index, mine.batch);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  --at_work_;
  mine.error = std::move(error);
  mine.ready = true;
  filled_.notify_all();
}

void ReadAhead::restart(std::int64_t index, std::unique_lock<std::mutex>& lock) {
  started_ = false;
  filled_.wait(lock, [this] { return at_work_ == 0; });
  for (Place& each : places_) {
    each.ready = false;
    each.error = nullptr;
  }
  held_ = index - 1;
  next_claim_ = index;
  started_ = true;
  claims_.notify_all();
}

const Batch& ReadAhead::next(std::int64_t index) {
  if (index < 0) throw std::logic_error("batches are counted from 0");
  std::unique_lock lock(mutex_);
  if (!started_ || index != held_ + 1) restart(index, lock);
  Place& wanted = place(index);
  filled_.wait(lock, [&] { return wanted.ready; });
  if (wanted.error) {
    started_ = false;
    std::rethrow_exception(std::exchange(wanted.error, nullptr));
  }
  if (held_ >= 0) place(held_).ready = false;  // the caller is done with it
  held_ = index;
  claims_.notify_all();
  return wanted.batch;
}

}  // namespace sextant::input
