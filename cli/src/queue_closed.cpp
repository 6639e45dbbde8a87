#include "queue_closed.h"

#include <nlohmann/json.hpp>

#include "sextant/cli/run.h"
#include "sextant/report/queue_report.h"

namespace sextant {
namespace {

ClosedNetwork network_of(const QueueArgs& args) {
  if (!args.servers_at.empty() && args.servers_at.size() != args.demands.size()) {
    throw InputError({"--servers-at"},
                     std::to_string(args.servers_at.size()) + " numbers for " +
                         std::to_string(args.demands.size()) + " demands",
                     "one for each");
  }
  ClosedNetwork network;
  for (std::size_t i = 0; i < args.demands.size(); ++i) {
    network.stations.push_back({.name = "queue" + std::to_string(i + 1),
                                .demand = duration_of(args.demands[i], "--demands"),
                                .servers = args.servers_at.empty() ? 1 : args.servers_at[i]});
  }
  for (std::size_t i = 0; i < args.delays.size(); ++i) {
    network.stations.push_back({.name = "delay" + std::to_string(i + 1),
                                .demand = duration_of(args.delays[i], "--delays"),
                                .kind = StationKind::delay});
  }
  network.think = duration_of(args.think, "--think").value_or(Seconds{0});
  network.multi_server = args.seidmann ? MultiServer::seidmann : MultiServer::exact;
  return network;
}

void require_network(const QueueArgs& args) {
  if (args.demands.empty()) throw InputError({"--demands"}, "is missing: seconds of each user at each queue");
  if (args.populations.empty()) throw InputError({"--population"}, "is missing: how many users?");
}

Measured measured_of(const QueueArgs& args) {
  if (args.populations.size() > 1) throw InputError({"--population"}, "was measured once: give one number");
  if (args.service_times.size() > 1) throw InputError({"--service-time"}, "was measured once: give one time");
  Measured measured{.period = duration_of(args.period, "--period"),
                    .completions = args.completions,
                    .busy = duration_of(args.busy, "--busy"),
                    .visits = args.visits,
                    .residence = duration_of(args.residence, "--residence"),
                    .think = duration_of(args.think, "--think")};
  if (!args.service_times.empty()) measured.service = duration_of(args.service_times[0], "--service-time");
  if (!args.populations.empty()) measured.users = static_cast<double>(args.populations[0]);
  return measured;
}

int bounds(const QueueArgs& args, const Io& io, const Globals& globals) {
  require_network(args);
  if (args.completions || args.period || args.busy || args.visits || args.residence ||
      !args.service_times.empty()) {
    throw InputError({"--demands"}, "give either demands, for bounds, or what was measured");
  }
  const ClosedNetwork network = network_of(args);
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, bounds_json(network, args.populations));
  } else {
    write_table(io, globals, bounds_table(network, args.populations));
  }
  return kDone;
}

}  // namespace

int closed_queues(const QueueArgs& args, const Io& io, const Globals& globals) {
  require_network(args);
  const ClosedNetwork network = network_of(args);
  const auto results = solve_closed(network, args.populations);
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, closed_json(network, results));
  } else {
    write_table(io, globals, closed_table(network, results));
  }
  return kDone;
}

int queue_laws(const QueueArgs& args, const Io& io, const Globals& globals) {
  if (!args.demands.empty() || !args.delays.empty()) return bounds(args, io, globals);
  const auto derived = operational_laws(measured_of(args));
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, laws_json(derived));
  } else {
    write_table(io, globals, laws_table(derived));
  }
  return kDone;
}

}  // namespace sextant
