#include "parts.h"

#include <cmath>

namespace sextant::parallel {

const Workload& slowest_load(const ParallelQuery& query) {
  const Workload* slowest = nullptr;
  for (std::size_t node = 0; node < query.placement.gpus.size(); ++node) {
    if (query.placement.gpus[node] == 0) continue;
    const Workload* load = query.devices.at(query.placement.class_of(node)).load;
    if (slowest == nullptr || load->step(query.batch) > slowest->step(query.batch)) slowest = load;
  }
  return slowest == nullptr ? *query.devices.at(0).load : *slowest;
}

Bytes smallest_memory(const ParallelQuery& query) {
  Bytes smallest{};
  for (std::size_t node = 0; node < query.placement.gpus.size(); ++node) {
    const Bytes memory = query.devices.at(query.placement.class_of(node)).memory;
    if (query.placement.gpus[node] == 0 || memory <= Bytes{}) continue;
    if (smallest == Bytes{} || memory < smallest) smallest = memory;
  }
  return smallest;
}

predict::MemoryNeed memory_of(const WorkloadTerms& terms, const Held& held) {
  const ParameterBytes& each = terms.parameter;
  return {.weights = held.weights * each.weight,
          .gradients = held.weights * each.gradient,
          .optimizer = held.weights * each.optimizer,
          .activations = held.activations,
          .workspace = terms.workspace,
          .context = terms.context};
}

void set_memory(ParallelCost& cost, const ParallelQuery& query, const predict::MemoryNeed& memory) {
  const Bytes capacity = smallest_memory(query);
  cost.memory = memory;
  cost.fill = capacity > Bytes{} ? memory.total() / capacity : 0;
  cost.batch = query.batch;
}

std::optional<Infeasible> uneven_batch(const char* strategy, double batch, std::int64_t parts) {
  const auto divisor = static_cast<double>(parts);
  if (std::fmod(batch, divisor) == 0) return std::nullopt;
  const double below = std::floor(batch / divisor) * divisor;
  std::string reason = std::string(strategy) + ": a batch of " + number_text(batch) +
                       " cannot be divided by " + std::to_string(parts) + "; ";
  reason += below > 0 ? number_text(below) + " and " + number_text(below + divisor) + " can"
                      : number_text(divisor) + " can";
  return Infeasible{Limit::divisibility, std::move(reason)};
}

std::optional<Infeasible> uneven_groups(const char* strategy, std::int64_t group, std::int64_t devices) {
  if (group >= 1 && devices % group == 0) return std::nullopt;
  return Infeasible{Limit::divisibility, std::string(strategy) + ": groups of " + std::to_string(group) +
                                             " cannot be made of " + std::to_string(devices) + " devices"};
}

}  // namespace sextant::parallel
