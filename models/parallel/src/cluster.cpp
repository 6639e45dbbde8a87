#include "sextant/parallel/cluster.h"

#include <tuple>

#include "sextant/collectives/fabric_of.h"
#include "sextant/core/unit_text.h"

namespace sextant::parallel {
namespace {

// What joins boards of which nobody says how they are joined.
constexpr const char* kUsualLink = "pcie-3-x16";

// The network of the largest machine with this GPU; nothing if no machine with one says.
const catalog::Machine* usual_machine(const catalog::Catalog& catalog, const std::string& gpu) {
  const catalog::Machine* best = nullptr;
  const auto size = [&](const catalog::Machine& m) {
    return std::tuple(m.gpu_count, node_link_bandwidth(catalog, m)->value);
  };
  for (const catalog::Machine& machine : catalog.machines.all()) {
    if (machine.gpu != gpu || machine.node_link.empty()) continue;
    if (best == nullptr || size(machine) > size(*best)) best = &machine;
  }
  return best;
}

// Who names a network means it; else the machine's own; else the usual one of such GPUs.
void set_network(const catalog::Catalog& catalog, const jobs::Layout& layout, catalog::Machine& node,
                 ClusterLinks& links) {
  if (!layout.link.empty()) {
    node.node_link = network_link(catalog, layout.link, at_field("network")).id;
    node.node_link_bandwidth.reset();
    return;
  }
  if (!node.node_link.empty() || layout.placement.nodes() < 2) return;
  const catalog::Machine* like = layout.machine.empty() ? usual_machine(catalog, node.gpu) : nullptr;
  if (like == nullptr) {
    throw InputError(at_field("network"),
                     "which network joins the " + std::to_string(layout.placement.nodes()) +
                         " nodes? The catalogue has none for " +
                         (layout.machine.empty() ? node.gpu : layout.machine),
                     "name a link, as in `network` ethernet-25g; 'sextant list links' shows all");
  }
  node.node_link = like->node_link;
  node.node_link_bandwidth = like->node_link_bandwidth;
  links.assumptions.push_back("no network is named: the nodes are joined as " + like->id + " is, by " +
                              like->node_link + " with " + human(*node_link_bandwidth(catalog, *like)));
}

// A node of GPUs of which only the kind is known.
catalog::Machine node_of(const catalog::Gpu& gpu, const jobs::Layout& layout) {
  catalog::Machine node;
  node.id = gpu.id;
  node.gpu = gpu.id;
  node.gpu_count = static_cast<double>(layout.placement.fullest());
  node.gpu_link = gpu.link;
  return node;
}

}  // namespace

ClusterLinks cluster_links(const catalog::Catalog& catalog, const catalog::Gpu& gpu,
                           const jobs::Layout& layout) {
  ClusterLinks links;
  catalog::Machine node =
      layout.machine.empty() ? node_of(gpu, layout) : catalog.machines.get(layout.machine);
  if (node.gpu_link.empty()) node.gpu_link = gpu.link.empty() ? kUsualLink : gpu.link;
  set_network(catalog, layout, node, links);
  links.fabric = collectives::fabric_of(catalog, node);
  return links;
}

}  // namespace sextant::parallel
