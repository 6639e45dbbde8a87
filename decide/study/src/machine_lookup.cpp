#include "sextant/study/machine_lookup.h"

namespace sextant::study {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

void add_gpu(const catalog::Catalog& catalog, const catalog::Machine& machine, explore::KnownMachine& known) {
  known.texts["gpu"] = machine.gpu;
  known.numbers["gpus"] = machine.gpu_count;
  if (machine.gpu.empty()) {
    for (const char* name : {"gpu_memory_gib", "gpu_tflops", "gpu_memory_gb_per_s"}) known.numbers[name] = 0;
    return;
  }
  const catalog::Gpu* gpu = machine.gpu_known ? catalog.gpus.find(machine.gpu) : nullptr;
  if (gpu == nullptr) {
    if (machine.gpu_memory) known.numbers["gpu_memory_gib"] = machine.gpu_memory->value / kGib;
    return;
  }
  known.numbers["gpu_memory_gib"] = gpu->memory.value / kGib;
  known.numbers["gpu_tflops"] = machine.gpu_count * gpu->fp32.value / 1e12;
  known.numbers["gpu_memory_gb_per_s"] = machine.gpu_count * gpu->memory_bandwidth.value / 1e9;
}

explore::KnownMachine known_machine(const catalog::Catalog& catalog, const catalog::Machine& machine) {
  explore::KnownMachine known;
  known.id = machine.id;
  known.texts["cloud"] = machine.cloud;
  if (machine.vcpus > 0) known.numbers["vcpus"] = machine.vcpus;
  if (machine.memory.value > 0) known.numbers["memory_gib"] = machine.memory.value / kGib;
  add_gpu(catalog, machine, known);
  if (const auto network = node_link_bandwidth(catalog, machine)) {
    known.numbers["network_gbit_per_s"] = network->value * 8 / 1e9;
  }
  if (const auto price = lowest_on_demand(machine)) known.numbers["usd_per_h"] = price->value * 3600;
  return known;
}

}  // namespace

explore::MachineLookup catalog_machines(const catalog::Catalog& catalog) {
  return {.find = [&catalog](
                      const std::string& name,
                      const SourcePos& at) { return known_machine(catalog, catalog.machines.get(name, at)); },
          .all =
              [&catalog] {
                std::vector<explore::KnownMachine> all;
                for (const catalog::Machine& machine : catalog.machines.all()) {
                  if (machine.listed && !machine.accelerator_only) {
                    all.push_back(known_machine(catalog, machine));
                  }
                }
                return all;
              }};
}

}  // namespace sextant::study
