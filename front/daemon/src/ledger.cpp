#include "ledger.h"

#include <chrono>

#include "sextant/core/error.h"
#include "sextant/http/route.h"

namespace sextant::daemon {

Seconds wall_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return Seconds{std::chrono::duration<double>(since).count()};
}

Ledger::Ledger(const std::string& path, WallClock clock)
    : clock_(std::move(clock)), store_(path), books_(store_.load()), writer_([this] { write_on(); }) {}

Ledger::~Ledger() {
  {
    const std::lock_guard lock(queue_mutex_);
    closing_ = true;
  }
  queue_changed_.notify_all();
  writer_.join();
}

void Ledger::change(const std::function<void(Page&)>& change) {
  Pending pending{.change = &change};
  {
    std::unique_lock lock(queue_mutex_);
    if (closing_) throw SystemError("the daemon is stopping");
    queue_.push_back(&pending);
    queue_changed_.notify_one();
    batch_over_.wait(lock, [&] { return pending.over; });
  }
  if (pending.refusal) throw http::Refusal(*pending.refusal);
  if (!pending.failure.empty()) throw SystemError(pending.failure);
}

void Ledger::write_on() {
  while (true) {
    std::vector<Pending*> batch;
    {
      std::unique_lock lock(queue_mutex_);
      queue_changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      batch.assign(queue_.begin(), queue_.end());
      queue_.clear();
    }
    write(batch);
    wake_all();
    {
      const std::lock_guard lock(queue_mutex_);
      for (Pending* pending : batch) pending->over = true;
    }
    batch_over_.notify_all();
  }
}

void Ledger::write(std::vector<Pending*>& batch) {
  const std::unique_lock lock(books_mutex_);
  try {
    if (stale_) books_ = store_.load();
    stale_ = true;  // until they are on the disk
    store_.commit([&] {
      for (Pending* pending : batch) {
        Page page{books_, store_, clock_()};
        try {
          (*pending->change)(page);
        } catch (const http::Refusal&
                     refusal) {  // anything else is no client's fault: nothing of this can be kept
          pending->refusal.emplace(refusal);
        }
      }
    });
    stale_ = false;
  } catch (const std::exception& error) {
    // What the books say is not on the disk: nobody is told that all is well.
    for (Pending* pending : batch) pending->failure = error.what();
    reload();
  }
}

// Also read again before the next change, if this fails too.
void Ledger::reload() {
  try {
    books_ = store_.load();
    stale_ = false;
  } catch (const std::exception&) {
    stale_ = true;
  }
}

void Ledger::wake_all() {
  {
    const std::lock_guard lock(version_mutex_);
    ++version_;
  }
  version_changed_.notify_all();
}

void Ledger::wait_beyond(std::uint64_t seen, Seconds patience) const {
  std::unique_lock lock(version_mutex_);
  version_changed_.wait_for(lock, std::chrono::duration<double>(patience.value),
                            [&] { return version_ > seen; });
}

}  // namespace sextant::daemon
