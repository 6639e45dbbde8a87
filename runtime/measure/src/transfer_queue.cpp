#include "transfer_queue.h"

#include <utility>

#include "sextant/measure/clock.h"

namespace sextant::measure {

TransferQueue::TransferQueue(std::vector<std::size_t> needs, bool overlap, Transfer transfer)
    : needs_(std::move(needs)),
      transfer_(std::move(transfer)),
      final_(needs_.empty() ? 0 : needs_.back() + 1),
      allowed_at_(needs_.size()) {
  if (overlap) thread_ = std::thread([this] { work(); });
}

TransferQueue::~TransferQueue() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TransferQueue::ready(std::size_t tensor) {
  if (tensor >= final_.size()) return;  // empty tensors at the end are in no transfer
  final_[tensor] = true;
  if (!thread_.joinable()) return;
  while (complete_ < final_.size() && final_[complete_]) ++complete_;
  const std::lock_guard lock(mutex_);
  std::size_t count = allowed_;
  while (count < needs_.size() && needs_[count] < complete_) ++count;
  allow(count);
}

void TransferQueue::allow(std::size_t count) {
  if (count == allowed_) return;
  const std::int64_t now = monotonic_ns();
  while (allowed_ < count) allowed_at_[allowed_++] = now;
  changed_.notify_all();
}

double TransferQueue::finish() {
  if (!thread_.joinable()) {
    for (std::size_t i = 0; i < needs_.size(); ++i) run_one(i, -1);
  } else {
    std::unique_lock lock(mutex_);
    allow(needs_.size());
    changed_.wait(lock, [this] { return done_ == needs_.size() || error_; });
    if (error_) std::rethrow_exception(error_);
    allowed_ = done_ = 0;
  }
  final_.assign(final_.size(), false);
  complete_ = 0;
  return std::exchange(transfer_s_, 0);
}

void TransferQueue::run_one(std::size_t index, std::int64_t ready) {
  const std::int64_t start = monotonic_ns();
  transfer_(index, ready);
  transfer_s_ += static_cast<double>(monotonic_ns() - start) * 1e-9;
}

void TransferQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || (done_ < allowed_ && !error_); });
    if (stop_) return;
    const std::size_t index = done_;
    const std::int64_t ready = allowed_at_[index];
    lock.unlock();
    std::exception_ptr error;
    try {
      run_one(index, ready);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error)
      error_ = error;
    else
      ++done_;
    changed_.notify_all();
  }
}

}  // namespace sextant::measure
