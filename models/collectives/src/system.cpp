#include "sextant/collectives/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "link_use.h"

namespace sextant::collectives {
namespace {

constexpr std::int64_t kGpusOfASwitch = 2;  // of PCIe
constexpr std::int64_t kLeastSwitched = 8;
// Third and later generations of NVSwitch have arithmetic of their own.
constexpr std::array<std::string_view, 2> kSumming = {"nvlink-4", "nvlink-5"};

Wire wire_of(const catalog::Link& link) {
  if (link.kind == catalog::LinkKind::network) return Wire::network;
  return link.id.starts_with("pcie") ? Wire::pcie : Wire::direct;
}

// Of the board's generation; bridges are found on boards for these.
std::string pcie_of(const catalog::Gpu& gpu) {
  if (gpu.year >= 2022) return "pcie-5-x16";
  return gpu.year >= 2020 ? "pcie-4-x16" : "pcie-3-x16";
}

}  // namespace

LinkUse link_use(const catalog::Link& link) {
  return {link.id, wire_of(link), link.bandwidth, std::ranges::find(kSumming, link.id) != kSumming.end()};
}

bool reduces_in_switch(const System& system) {
  return system.inside.reduces && !system.pairs && system.gpus >= kLeastSwitched;
}

System system_of(const catalog::Catalog& catalog, const catalog::Machine& machine) {
  System system{.id = machine.id, .inside = {}};
  const catalog::Gpu* gpu = catalog.gpus.find(machine.gpu);
  system.gpu = machine.gpu;
  if (gpu != nullptr) system.architecture = gpu->architecture;
  system.gpus = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(machine.gpu_count)));
  // With one GPU nothing is inside; PCIe stands there and is never used.
  const std::string link = machine.gpu_link.empty() ? "pcie-3-x16" : machine.gpu_link;
  system.inside = link_use(catalog.links.get(link));
  if (const auto bandwidth = gpu_link_bandwidth(catalog, machine)) system.inside.bandwidth = *bandwidth;
  if (link.starts_with("nvlink-bridge") && system.gpus > 2 && gpu != nullptr) {
    system.pairs = link_use(catalog.links.get(pcie_of(*gpu)));
  }
  if (!machine.node_link.empty()) system.network = link_use(catalog.links.get(machine.node_link));
  if (const auto bandwidth = node_link_bandwidth(catalog, machine)) {
    if (!system.network) system.network = LinkUse{"", Wire::network, {}};
    system.network->bandwidth = *bandwidth;
  }
  return system;
}

System system_of(const catalog::Catalog& catalog, const std::string& link, const std::string& network) {
  System system{.id = network.empty() ? link : link + "+" + network,
                .gpus = INT32_MAX,
                .inside = link_use(catalog.links.get(link, at_field("link")))};
  if (!network.empty()) system.network = link_use(catalog.links.get(network, at_field("network")));
  return system;
}

System find_system(const Systems& systems, const catalog::Catalog& catalog, const std::string& name,
                   const SourcePos& at) {
  if (const System* system = systems.find(name)) return *system;
  if (const catalog::Machine* machine = catalog.machines.find(name)) return system_of(catalog, *machine);
  std::vector<std::string> known;
  for (const auto& system : systems.all()) known.push_back(system.id);
  for (const auto& machine : catalog.machines.all()) known.push_back(machine.id);
  const std::string near = nearest_name(name, known).value_or("");
  throw InputError(at, "unknown system '" + name + "'",
                   near.empty()
                       ? "'sextant list systems' names them; a machine such as aws/p4d.24xlarge works too"
                       : "did you mean '" + near + "'?");
}

std::int64_t cards_in_use(const System& system, std::int64_t per_node) {
  return per_node <= kGpusOfASwitch ? 1 : std::min(system.cards, per_node);
}

}  // namespace sextant::collectives
