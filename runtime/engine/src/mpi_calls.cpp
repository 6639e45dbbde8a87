#include "mpi_calls.h"

#include <sched.h>
#include <time.h>

#include <array>

#include "sextant/core/error.h"
#include "sextant/measure/clock.h"

namespace sextant::engine {
namespace {

// A message between processes of one machine takes microseconds: look often for so long, then sleep in
// between, because somebody else may need the core to produce what is awaited.
constexpr int kEagerLooks = 100;
constexpr long kNapNs = 20'000;

}  // namespace

void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw SystemError(std::string("MPI: ") + what + ": " + text.data());
}

void MpiWait::operator()(MPI_Request& request, const std::function<std::string()>& peer) const {
  std::int64_t start = 0;
  for (int looks = 0;; ++looks) {
    int done = 0;
    const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) check_mpi(code, ("lost " + peer()).c_str());
    if (done != 0) return;
    if (looks < kEagerLooks) {
      sched_yield();
      continue;
    }
    if (start == 0) start = measure::monotonic_ns();
    if (static_cast<double>(measure::monotonic_ns() - start) * 1e-9 > timeout_s_) {
      throw SystemError("lost " + peer() + ": silent for " + std::to_string(timeout_s_) + " s");
    }
    const timespec nap{0, kNapNs};
    nanosleep(&nap, nullptr);
  }
}

}  // namespace sextant::engine
