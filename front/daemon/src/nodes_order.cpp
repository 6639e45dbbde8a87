#include <algorithm>
#include <nlohmann/json.hpp>

#include "api.h"
#include "sextant/capacity/catalogue_machine.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::daemon {
namespace {

[[noreturn]] void fail_at_entry(const char* list, std::size_t index, const char* member,
                                const std::string& what) {
  throw InputError(at_field(std::string(list) + "[" + std::to_string(index) + "]." + member), what);
}

// As far as the catalogue knows it.
capacity::MachineType known_machine(const std::string& name, const catalog::Catalog& catalog) {
  capacity::MachineType type{.name = name, .gpu = "", .gpus = 0};
  const catalog::Machine* known = catalog.machines.find(name);
  if (known != nullptr) type = capacity::catalogue_machine(*known, catalog);
  type.name = name;
  type.hour_price =
      (known == nullptr ? std::nullopt : capacity::catalogue_price(*known)).value_or(Dollars{-1});
  return type;
}

capacity::MachineType read_machine(const Json& row, std::size_t index, const catalog::Catalog& catalog) {
  capacity::MachineType type = known_machine(row.at("name").get<std::string>(), catalog);
  type.gpu = row.value("gpu", type.gpu);
  type.gpus = row.value("gpus", type.gpus);
  type.hour_price = Dollars{row.value("usd_per_hour", type.hour_price.value)};
  type.minimum_billing = Seconds{row.value("minimum_billing_s", type.minimum_billing.value)};
  type.idle = Watts{row.value("idle_w", type.idle.value)};
  type.busy = Watts{row.value("busy_w", type.busy.value)};
  type.losses_per_hour = row.value("losses_per_hour", type.losses_per_hour);
  if (type.gpus < 1)
    fail_at_entry("machines", index, "gpus", "it is missing, and the catalogue does not have the machine");
  if (type.hour_price < Dollars{0})
    fail_at_entry("machines", index, "usd_per_hour",
                  "it is missing, and the catalogue does not have a price");
  return type;
}

}  // namespace

NodesOrder read_nodes_order(const Json& body, const catalog::Catalog& catalog) {
  NodesOrder order;
  const Json& machines = body.at("machines");
  for (std::size_t i = 0; i < machines.size(); ++i) {
    capacity::MachineType type = read_machine(machines[i], i, catalog);
    const std::string name = type.name;
    if (!order.machines.emplace(name, std::move(type)).second)
      fail_at_entry("machines", i, "name", "'" + name + "' stands twice");
  }
  const Json& nodes = body.at("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    DaemonNode node{.name = nodes[i].at("name").get<std::string>(),
                    .only = nodes[i].value("only", ""),
                    .down = nodes[i].value("down", false)};
    if (!node.only.empty() && !order.machines.contains(node.only))
      fail_at_entry("nodes", i, "only", "there is no machine type '" + node.only + "'");
    if (std::ranges::find(order.nodes, node.name, &DaemonNode::name) != order.nodes.end())
      fail_at_entry("nodes", i, "name", "'" + node.name + "' stands twice");
    order.nodes.push_back(std::move(node));
  }
  return order;
}

}  // namespace sextant::daemon
