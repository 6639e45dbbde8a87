#include "sextant/core/run_list.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sextant {
namespace {

class RunWorkers {
 public:
  RunWorkers(const RunList& list, Progress& progress)
      : list_(list), progress_(progress), errors_(list.runs) {}

  void run() {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = std::min(list_.threads == 0 ? cores : list_.threads, list_.runs);
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < wanted; ++i) others.emplace_back([this] { work(); });
      work();
    }
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  void work() {
    while (!failed_ && !(list_.stopped && list_.stopped())) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= list_.runs) return;
      try {
        if (!list_.run(index)) return;
      } catch (...) {
        errors_[index] = std::current_exception();
        failed_ = true;
      }
      const std::scoped_lock lock(progress_mutex_);
      progress_.step(++done_, static_cast<std::int64_t>(list_.runs), list_.note);
    }
  }

  const RunList& list_;
  Progress& progress_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
};

}  // namespace

void work_through(const RunList& list, Progress& progress) {
  RunWorkers(list, progress).run();
}

}  // namespace sextant
