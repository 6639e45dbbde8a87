#include "engine_threads.h"

#include <ATen/Parallel.h>

#include <mutex>
#include <string>

#include "process_settings.h"
#include "sextant/core/error.h"

namespace sextant::engine {

void prepare_process(std::int64_t threads) {
  constexpr std::int64_t kMost = 1024;
  if (threads < 1 || threads > kMost) {
    throw InputError(std::to_string(threads) + " threads: a replica needs 1 to " + std::to_string(kMost));
  }
  keep_freed_memory();
  static std::once_flag once;
  std::call_once(once, [] { at::set_num_interop_threads(1); });
  set_blas_threads(threads);
  use_threads(threads);
}

// Setting the number drops oneDNN's prepared kernels, so it is set when it differs only.
void use_threads(std::int64_t threads) {
  if (at::get_num_threads() != static_cast<int>(threads)) at::set_num_threads(static_cast<int>(threads));
}

}  // namespace sextant::engine
