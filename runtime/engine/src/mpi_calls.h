// MPI as the transport needs it: every call's code checked, every wait with an end. A blocking call of MPI
// waits for ever for a process that was stopped, and keeps a core busy meanwhile; polling does neither.
#pragma once

#include <mpi.h>

#include <functional>
#include <span>
#include <string>

namespace sextant::engine {

// SystemError with MPI's own text.
void check_mpi(int code, const char* what);

class MpiWait {
 public:
  explicit MpiWait(double timeout_s) : timeout_s_(timeout_s) {}
  // Until the request is done; SystemError naming `peer` after the timeout.
  void operator()(MPI_Request& request, const std::function<std::string()>& peer) const;

 private:
  double timeout_s_;
};

// Sum over all ranks of the communicator, in place: a ring in segments, of which one is added up while the
// next is on its way. A segment that is summed goes on at once, so that the two halves of the ring overlap.
struct RingSettings {
  MpiWait wait;
  std::size_t segment_values = 1;
};
void ring_all_reduce(MPI_Comm ring, std::span<float> values, const RingSettings& settings);

}  // namespace sextant::engine
