#include "in_blocks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sextant::robust {

void for_pieces(std::size_t pieces, std::size_t threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&] {
    try {
      for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min(threads, pieces); ++t) others.emplace_back(run);
    run();
  }
  if (error) std::rethrow_exception(error);
}

void for_blocks(std::size_t count, std::size_t size, std::size_t threads,
                const std::function<void(const Block&)>& work) {
  for_pieces((count + size - 1) / size, threads, [&](std::size_t index) {
    const std::size_t first = index * size;
    work({.first = first, .count = std::min(size, count - first), .index = index});
  });
}

}  // namespace sextant::robust
