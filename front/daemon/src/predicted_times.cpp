#include "predicted_times.h"

#include <nlohmann/json.hpp>

#include "sextant/ask/network_times.h"
#include "sextant/core/error.h"
#include "sextant/nets/network.h"

namespace sextant::daemon {
namespace {

capacity::TrainedNetwork network_of(const Json& network) {
  capacity::TrainedNetwork trained{.net = network.at("net").get<std::string>(), .at = at_field("network")};
  // A client names networks, never files of this machine.
  (void)nets::zoo().get(trained.net, at_field("network.net"));
  trained.batch = network.value("batch", trained.batch);
  trained.samples = network.at("samples").get<std::int64_t>();
  trained.epochs = network.value("epochs", trained.epochs);
  trained.precision = network.value("precision", trained.precision);
  trained.stack = network.value("stack", trained.stack);
  return trained;
}

}  // namespace

std::vector<MachineTime> predicted_times(const Json& network, const OrderContext& context) {
  std::vector<capacity::MachineType> types;
  for (const auto& [name, machine] : context.machines) types.push_back(machine);
  std::vector<MachineTime> times;
  for (const auto& option : ask::network_times(network_of(network), types, context.catalog).options) {
    times.push_back({.machine = types[static_cast<std::size_t>(option.type)].name,
                     .gpus = option.gpus,
                     .time = option.time,
                     .spread = option.spread});
  }
  return times;
}

}  // namespace sextant::daemon
