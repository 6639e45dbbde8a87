#include <algorithm>
#include <cmath>

#include "kernel_law.h"

namespace sextant::llm {
namespace {

namespace collective_size {
enum Place : std::size_t { operation, ranks, message };
}
namespace collective_at {
enum Place : std::size_t {
  latency,
  reduce_power,
  all_power,
  gather_power,
  reduce_latency,
  rate,
  bus_power,
  switch_power,
  all_rate,
  reduce_rate,
  ramp,
  bus_ramp,
  ramp_power
};
}

std::vector<LawParameter> collective_parameters() {
  return {{"latency", 7, 1, 40, 0.4},       // microseconds with two ranks
          {"reduce-power", 0.65, 0.05, 2},  // of the latency in ranks
          {"all-to-all-power", 0.2, 0.02, 2},
          {"gather-power", 0.4, 0.02, 2},
          {"reduce-latency", 1.15, 0.7, 3},      // of an all-reduce, relative to others
          {"rate", 0.6, 0.2, 1.3, 0.25},         // of the link, with two ranks
          {"bus-power", 0.6, 0.02, 1.5, 0, 10},  // ranks share a bus
          {"switch-power", 0.15, 0.01, 1, 0.5},  // more ranks use more lanes of a switch
          {"all-to-all-rate", 0.85, 0.3, 1.5, 0.3},
          {"reduce-rate", 1, 0.5, 2},
          {"ramp", 3, 0.05, 30, 0.7},  // of the root of the transfer's microseconds
          {"bus-ramp", 1, 0.01, 30, 0, 10},
          {"ramp-power", 0.1, 0.01, 3}};
}

double collective_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const auto operation = static_cast<NodeOperation>(static_cast<int>(x[collective_size::operation]));
  const bool reduce = operation == NodeOperation::all_reduce;
  const bool all = operation == NodeOperation::all_to_all;
  const double pairs = x[collective_size::ranks] / 2;
  const double moved = x[collective_size::message] * (x[collective_size::ranks] - 1) /
                       x[collective_size::ranks] * (reduce ? 2 : 1);
  const double power = reduce ? p[collective_at::reduce_power]
                       : all  ? p[collective_at::all_power]
                              : p[collective_at::gather_power];
  const double latency =
      p[collective_at::latency] * std::pow(pairs, power) * (reduce ? p[collective_at::reduce_latency] : 1);
  const double shared = d.switched ? std::pow(pairs, p[collective_at::switch_power])
                                   : std::pow(pairs, -p[collective_at::bus_power]);
  const double rate = p[collective_at::rate] * shared *
                      (all      ? p[collective_at::all_rate]
                       : reduce ? p[collective_at::reduce_rate]
                                : 1);
  const double wire = moved / (d.link * rate);
  const double ramp = (d.switched ? p[collective_at::ramp] : p[collective_at::bus_ramp]) *
                      std::sqrt(wire * 1e-6) * std::pow(pairs, p[collective_at::ramp_power]);
  return launch_seconds(latency, 1, d) + wire + ramp;
}

std::vector<double> collective_features(const KernelShape& x, const KernelDevice&) {
  return {std::log2(x[collective_size::message]), x[collective_size::ranks], x[collective_size::operation]};
}

}  // namespace

const KernelLaw& collective_law() {
  static const KernelLaw law = {"collective", collective_parameters(), &collective_seconds,
                                &collective_features};
  return law;
}

KernelShape collective_shape(const NodeCollective& call) {
  if (call.library != CollectiveLibrary::nccl)
    return {call.ranks, call.bytes.value, call.library == CollectiveLibrary::engine_host ? 1.0 : 0.0};
  return {static_cast<double>(call.operation), call.ranks, call.bytes.value};
}

}  // namespace sextant::llm
