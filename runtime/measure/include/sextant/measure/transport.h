// How processes of a trial talk: sums over all workers, and messages between two of them. Implementations
// live in runtime/engine/transports; what a user has to know about each stands in the table here, so that a
// wrong choice is an error before anything starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/measure/outcome.h"

namespace sextant::measure {

// Calls block. Different threads may be in different calls at once as long as their tags differ, except for
// all_reduce and barrier, which one thread at a time may call, all ranks in the same order. A peer that is
// gone, or silent for the trial's timeout, is a SystemError that names it where it is known.
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual std::int64_t rank() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;

  // Sum over ranks [0, workers), in place; only these call it.
  virtual void all_reduce(std::span<float> values) = 0;
  virtual void barrier() = 0;  // of the same ranks
  virtual void send(std::int64_t to, std::uint32_t tag, std::span<const std::byte> bytes) = 0;
  virtual void receive(std::int64_t from, std::uint32_t tag, std::span<std::byte> bytes) = 0;

  // Since the process joined.
  [[nodiscard]] virtual WireBytes bytes() const = 0;
};

struct TransportInfo : PluginInfo {
  static constexpr PluginKind kKind = {"transport", "transports", "how processes of a measured job talk",
                                       "transport"};

  std::vector<std::string> aliases = {};
  bool mpi = false;  // ranks must be started by mpirun
};
const Registry<TransportInfo>& transports();  // gloo-tcp, mpi-shm, mpi-tcp, none

}  // namespace sextant::measure
