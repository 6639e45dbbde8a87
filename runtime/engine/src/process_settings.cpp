#include "process_settings.h"

#include <dlfcn.h>
#include <malloc.h>

#include <csignal>
#include <mutex>

namespace sextant::engine {
namespace {

// libtorch is linked with whatever provides libblas.so.3; so OpenBLAS's functions are looked up, not linked.
template <class Signature>
Signature* find_symbol(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

void keep_freed_memory() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr int kNever = 0;
    constexpr int kUnlimited = -1;
    mallopt(M_MMAP_MAX, kNever);
    mallopt(M_TRIM_THRESHOLD, kUnlimited);
  });
}

void survive_lost_peers() {
  std::signal(SIGPIPE, SIG_IGN);
}

void set_blas_threads(std::int64_t threads) {
  if (auto* set = find_symbol<void(int)>("openblas_set_num_threads")) set(static_cast<int>(threads));
}

std::string blas_description() {
  auto* config = find_symbol<char*()>("openblas_get_config");
  return config == nullptr ? "unknown" : config();
}

}  // namespace sextant::engine
