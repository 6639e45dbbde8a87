#include "sextant/capacity/catalogue_machine.h"

#include "sextant/clusters/cluster.h"

namespace sextant::capacity {

MachineType catalogue_machine(const catalog::Machine& machine, const catalog::Catalog& catalog) {
  MachineType type{.name = machine.id, .gpu = machine.gpu};
  type.gpus = static_cast<std::int32_t>(machine.gpu_count);
  type.minimum_billing = provider_of(catalog, machine).minimum;
  const catalog::Gpu* gpu = catalog.gpus.find(machine.gpu);
  const Watts full = gpu != nullptr ? gpu->tdp.value_or(Watts{}) : Watts{};
  type.idle = machine.idle.value_or(clusters::kIdleFraction * machine.gpu_count * full);
  type.busy = machine.busy.value_or((1 - clusters::kIdleFraction) * full);
  return type;
}

std::optional<Dollars> catalogue_price(const catalog::Machine& machine) {
  const auto price = lowest_on_demand(machine);
  return price ? std::optional(*price * kHour) : std::nullopt;
}

}  // namespace sextant::capacity
