#include "sextant/parallel/cluster.h"

#include <tuple>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

// What joins boards of which nobody says how they are joined.
constexpr const char* kUsualLink = "pcie-3-x16";

Path path_of(const Link& link) {
  return {link.latency, link.bandwidth};
}

Path inside_path(const Catalog& catalog, const Gpu& gpu, const std::string& name) {
  Path path = path_of(catalog.links.get(name.empty() ? kUsualLink : name));
  if (name == gpu.link && gpu.link_bandwidth) path.bandwidth = *gpu.link_bandwidth;
  return path;
}

// The network of the largest machine with this GPU; nothing if no machine with one says.
const Machine* usual_machine(const Catalog& catalog, const Gpu& gpu) {
  const Machine* best = nullptr;
  const auto size = [&](const Machine& m) {
    return std::tuple(m.gpu_count, network_bandwidth(catalog, m)->value);
  };
  for (const Machine& machine : catalog.machines.all()) {
    if (machine.gpu != gpu.id || machine.network.empty()) continue;
    if (best == nullptr || size(machine) > size(*best)) best = &machine;
  }
  return best;
}

Path network_path(const Catalog& catalog, const Machine& machine) {
  Path path = path_of(catalog.links.get(machine.network));
  path.bandwidth = *network_bandwidth(catalog, machine);
  return path;
}

const Link& network_link(const Catalog& catalog, const std::string& name) {
  const Link& link = catalog.links.get(name, {"--network"});
  if (link.kind == LinkKind::network) return link;
  throw InputError({"--network"}, "'" + link.id + "' joins GPUs of one machine, not machines",
                   "'sextant list links' shows those of kind network");
}

// Who names a network means it; else the machine's own; else the usual one of such GPUs.
void set_network(const Catalog& catalog, const Gpu& gpu, const Layout& layout, ClusterLinks& links) {
  const Machine* machine = layout.machine.empty() ? nullptr : &catalog.machines.get(layout.machine);
  if (!layout.network.empty()) {
    links.fabric.across = path_of(network_link(catalog, layout.network));
    return;
  }
  if (machine != nullptr && !machine->network.empty()) {
    links.fabric.across = network_path(catalog, *machine);
    return;
  }
  if (machine == nullptr) machine = usual_machine(catalog, gpu);
  if (layout.placement.nodes() < 2) return;
  if (machine == nullptr || machine->network.empty()) {
    throw InputError({"--network"},
                     "which network joins the " + std::to_string(layout.placement.nodes()) +
                         " nodes? The catalogue has none for " + (machine == nullptr ? gpu.id : machine->id),
                     "name a link, as in --network ethernet-25g; 'sextant list links' shows all");
  }
  links.fabric.across = network_path(catalog, *machine);
  links.assumptions.push_back("no network is named: the nodes are joined as " + machine->id + " is, by " +
                              machine->network + " with " + human(links.fabric.across->bandwidth));
}

}  // namespace

ClusterLinks cluster_links(const Catalog& catalog, const Gpu& gpu, const Layout& layout) {
  ClusterLinks links;
  const Machine* machine = layout.machine.empty() ? nullptr : &catalog.machines.get(layout.machine);
  const bool own = machine != nullptr && !machine->link.empty();
  links.fabric.inside = inside_path(catalog, gpu, own ? machine->link : gpu.link);
  set_network(catalog, gpu, layout, links);
  return links;
}

}  // namespace sextant
