// All changes of the state, one after another on one thread: what several clients ask for at the same time is
// committed together, and each is answered once its change is on the disk. What cannot be written has not
// happened.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

#include "books.h"
#include "sextant/http/route.h"
#include "store.h"

namespace sextant::daemon {

// What a change has in hand. It checks first and changes afterwards: one that throws a Refusal has changed
// nothing.
struct Page {
  Books& books;
  Store& store;
  Seconds now;

  void note(const std::string& kind, const std::string& text, const std::string& job = {},
            const std::string& step = {}) const {
    store.add({.at = now, .kind = kind, .job = job, .step = step, .text = text});
  }
};

using WallClock = std::function<Seconds()>;
Seconds wall_clock();

class Ledger {
 public:
  Ledger(const std::string& path, WallClock clock);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Returns when the change is on the disk. What it throws is thrown here; SystemError where nothing could be
  // written.
  void change(const std::function<void(Page&)>& change);
  // Only what was committed is seen.
  template <class Read>
  auto read(const Read& look) const {
    const std::shared_lock lock(books_mutex_);
    return look(std::as_const(books_));
  }
  [[nodiscard]] std::vector<DaemonEvent> events(const EventQuery& query) { return store_.events(query); }
  [[nodiscard]] Seconds now() const { return clock_(); }

  // Grows with every change.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // Until the version is beyond `seen`, or the time is over.
  void wait_beyond(std::uint64_t seen, Seconds patience) const;
  void wake_all();  // who waits looks around, as after a change

 private:
  // Faults are values, thrown on the thread that asked: no exception is shared by threads.
  struct Pending {
    const std::function<void(Page&)>* change;
    std::optional<http::Refusal> refusal = {};
    std::string failure = {};  // nothing could be written
    bool over = false;
  };
  void write_on();
  void write(std::vector<Pending*>& batch);
  void reload();

  WallClock clock_;
  Store store_;
  Books books_;
  bool stale_ = false;  // the books may not be what is on the disk
  mutable std::shared_mutex books_mutex_;

  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::condition_variable batch_over_;
  std::deque<Pending*> queue_;
  bool closing_ = false;

  mutable std::mutex version_mutex_;
  mutable std::condition_variable version_changed_;
  std::atomic<std::uint64_t> version_ = 0;
  std::thread writer_;
};

}  // namespace sextant::daemon
