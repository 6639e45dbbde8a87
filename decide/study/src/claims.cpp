#include "claims.h"

#include <algorithm>

namespace sextant::study {

Claims::Claims(std::unique_ptr<StudyStore> store, std::function<void(std::exception_ptr)> failed)
    : store_(std::move(store)), failed_(std::move(failed)), thread_([this] { renew(); }) {}

Claims::~Claims() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Claims::Held::Held(Claims& claims, const StoredTrial& trial)
    : claims_(claims), entry_(std::make_shared<Entry>()) {
  entry_->number = trial.number;
  entry_->worker = trial.worker;
  const std::lock_guard lock(claims_.mutex_);
  claims_.held_.push_back(entry_);
}

Claims::Held::~Held() {
  const std::lock_guard lock(claims_.mutex_);
  claims_.held_.remove(entry_);
}

// Five times within a claim: one that comes late is no loss.
void Claims::renew() {
  const auto pause = std::max(std::chrono::milliseconds(10), store_->claim_lasts() / 5);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return end_; })) {
    const auto held = held_;
    lock.unlock();
    try {
      for (const auto& entry : held) {
        if (!entry->lost && !store_->heartbeat(entry->number, entry->worker)) entry->lost = true;
      }
    } catch (...) {
      failed_(std::current_exception());
    }
    lock.lock();
  }
}

}  // namespace sextant::study
