// What libtorch, its BLAS and the allocator are told once for the whole process.
#pragma once

#include <cstdint>
#include <string>

namespace sextant::engine {

// glibc gives large blocks back to the kernel whenever they are freed, and every iteration pays for their
// pages again; from the first call on they stay with the process, as with the allocators of GPUs.
void keep_freed_memory();

// A write to a peer that has gone is an error to report, not the end of this process: Gloo writes with
// writev(), which raises SIGPIPE.
void survive_lost_peers();

// OpenBLAS has threads of its own, of which OpenMP's settings know nothing. Without OpenBLAS: nothing.
void set_blas_threads(std::int64_t threads);
std::string blas_description();  // "OpenBLAS 0.3.21 …", or "unknown"

}  // namespace sextant::engine
