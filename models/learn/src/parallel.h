// Independent pieces of work on several threads. Each writes to its own slot, so the result does not
// depend on their number.
#pragma once

#include <cstddef>
#include <functional>

namespace sextant::learn {

// work(i) for i in [0, count); 0 threads: one per processor. When several pieces throw, the exception of
// the first in order is thrown again here, after all have ended.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace sextant::learn
