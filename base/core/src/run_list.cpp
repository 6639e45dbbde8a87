#include "sextant/core/run_list.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sextant {

void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& run) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    while (!failed) {
      const std::size_t index = next.fetch_add(1);
      if (index >= count) return;
      try {
        run(index);
      } catch (...) {
        errors[index] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(threads == 0 ? cores : threads, count); ++i)
      others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void work_through(const RunList& list, Progress& progress) {
  std::atomic<bool> ended = false;
  std::mutex mutex;
  std::int64_t done = 0;
  in_parallel(list.runs, list.threads, [&](std::size_t index) {
    if (ended || list.stop.asked()) {
      ended = true;
      return;
    }
    try {
      list.run(index);
    } catch (const RunAbandoned&) {
      ended = true;
      return;
    }
    const std::scoped_lock lock(mutex);
    progress.step(++done, static_cast<std::int64_t>(list.runs), list.note);
  });
}

}  // namespace sextant
