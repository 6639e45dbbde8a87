// Threads of libtorch: those of an operator belong to the thread that calls it (OpenMP), so each replica asks
// for its own; the backward pass on CPUs runs on the thread that starts it.
#pragma once

#include <cstdint>

namespace sextant::engine {

// Before the first tensor is made: allocator, BLAS, no parallelism between operators. InputError for fewer
// than one thread.
void prepare_process(std::int64_t threads);

// For the calling thread. Cheap where nothing changes.
void use_threads(std::int64_t threads);

}  // namespace sextant::engine
