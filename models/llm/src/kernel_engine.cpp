#include <algorithm>
#include <cmath>

#include "kernel_law.h"

namespace sextant::llm {
namespace {

namespace engine_size {
enum Place : std::size_t { ranks, message, host };
}
namespace engine_at {
enum Place : std::size_t {
  latency,
  power,
  share,
  peer,
  second,
  second_power,
  call,
  call_power,
  rate,
  switch_power,
  ramp,
  bus_share,
  through_host,
  host_time,
  copy
};
}

std::vector<LawParameter> engine_parameters() {
  return {{"latency", 5, 1, 40, 0.3},             // microseconds of the engine's own kernel with two ranks
          {"latency-power", 0.1, 0.01, 1},        // of it in ranks
          {"share", 0.6, 0.1, 1.1, 0.2},          // of the link that own kernels reach
          {"peer", 250, 30, 2000, 0.4, 5},        // GB/s that they read from one peer at most
          {"second-pass", 4, 0.1, 40, 0.5},       // microseconds, where each rank reduces its part only
          {"second-power", 0.6, 0.01, 1.5},       // of it in ranks
          {"call", 10, 1, 60, 0.4},               // microseconds of NCCL with two ranks
          {"call-power", 0.65, 0.05, 1.5},        // of it in ranks
          {"rate", 0.6, 0.1, 1.3, 0.25},          // of the link that NCCL reaches with two ranks
          {"switch-power", 0.15, 0.01, 1, 0.5},   // more ranks use more lanes of a switch
          {"ramp", 3, 0.05, 30, 0.7},             // of the root of the transfer's microseconds
          {"bus-share", 0.85, 0.05, 1.0, 0, 60},  // of a bus
          {"through-host", 18, 1, 100, 0.2, 10},  // GB/s through the memory of the host
          {"host", 20, 5, 100, 0.5, 60, false, false},  // microseconds of a launch without a recorded graph
          {"copy", 0.8, 0.2, 1.2, 0.2, 5}};
}

// Bytes up to which vLLM reduces with kernels of its own, through multicast memory where the architecture has
// it; NCCL takes longer messages, and all of them where GPUs reach each other over the bus alone
// (vllm/distributed/device_communicators/all_reduce_utils.py).
double own_limit(const KernelDevice& d, double ranks) {
  constexpr double kMiB = 1048576;
  if (!d.peers) return 0;
  if (d.architecture.ends_with("Hopper")) return (ranks > 2 && ranks < 5 ? 32 : 64) * kMiB;
  if (d.architecture.ends_with("Blackwell")) return (ranks < 3 ? 8 : ranks < 5 ? 32 : 64) * kMiB;
  return 8 * kMiB;
}

double engine_recorded(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const double ranks = x[engine_size::ranks];
  const double pairs = ranks / 2;
  const double moved = 2 * (ranks - 1) / ranks * x[engine_size::message];
  if (x[engine_size::message] < own_limit(d, ranks)) {
    const double rate =
        overlapped(1 / (d.link * p[engine_at::share]), 1e-9 / ((ranks - 1) * p[engine_at::peer]), 4);
    const double latency = p[engine_at::latency] * std::pow(pairs, p[engine_at::power]);
    const double once = (ranks - 1) * x[engine_size::message] * rate;
    const double twice =
        p[engine_at::second] * 1e-6 * std::pow(pairs, p[engine_at::second_power]) + moved * rate;
    return latency * 1e-6 + (ranks < 3 ? once : std::min(once, twice));
  }
  const double call = p[engine_at::call] * 1e-6 * std::pow(pairs, p[engine_at::call_power]);
  if (!d.peers)
    return call + overlapped(moved / (d.link * p[engine_at::bus_share]),
                             moved * 1e-9 / p[engine_at::through_host], 4);
  const double wire = moved / (d.link * p[engine_at::rate] * std::pow(pairs, p[engine_at::switch_power]));
  return call + wire + p[engine_at::ramp] * std::sqrt(wire * 1e-6);
}

double engine_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const double recorded = engine_recorded(p, x, d);
  if (x[engine_size::host] == 0) return recorded;
  return std::max(recorded, p[engine_at::host_time] * 1e-6) +
         2 * x[engine_size::message] / (d.bandwidth * p[engine_at::copy]);
}

std::vector<double> engine_features(const KernelShape& x, const KernelDevice&) {
  return {std::log2(x[engine_size::message]), x[engine_size::ranks], x[engine_size::host]};
}

}  // namespace

const KernelLaw& engine_law() {
  static const KernelLaw law = {"all-reduce-engine", engine_parameters(), &engine_seconds, &engine_features};
  return law;
}

}  // namespace sextant::llm
