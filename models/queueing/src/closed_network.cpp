#include "closed_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::queueing {
namespace {

constexpr std::int64_t kMostUsers = 1'000'000;
constexpr std::int64_t kMostUsersMultiServer = 3000;
constexpr double kLongest = 1e150;  // times the users still a number

void check_time(Seconds time, const std::string& what) {
  if (std::isfinite(time.value) && time.value >= 0) return;
  throw InputError({}, what + " " + number_text(time.value) + " is negative or not finite");
}

double total_demand(const ClosedNetwork& network) {
  double sum = 0;
  for (const auto& station : network.stations) sum += station.demand.value;
  return sum;
}

bool has_multi_server(const ClosedNetwork& network) {
  return std::ranges::any_of(network.stations,
                             [](const Station& s) { return s.kind == StationKind::queue && s.servers > 1; });
}

void check_network(const ClosedNetwork& network) {
  if (network.stations.empty()) throw InputError("the closed network has no stations");
  check_time(network.think, "think time");
  for (const auto& station : network.stations) {
    check_time(station.demand, "demand of " + station.name);
    if (station.servers < 1) throw InputError("station " + station.name + " has no server");
  }
  const double cycle = total_demand(network) + network.think.value;
  if (!(cycle > 0))
    throw InputError(at_field("demands"), "all demands and the think time are 0: nothing takes time");
  if (!(cycle <= kLongest))
    throw InputError(at_field("demands"), "the demands and the think time are above 1e150 seconds");
}

void check_population(std::int64_t population, std::int64_t most) {
  if (population >= 1 && population <= most) return;
  throw InputError(at_field("population"),
                   "population " + std::to_string(population) + " is not from 1 to " + std::to_string(most),
                   most == kMostUsersMultiServer ? "the approximation by Seidmann has no such limit" : "");
}

// What a user of Seidmann's station meets: a queue of D / c, and the rest as a delay.
struct Split {
  double queue;
  double delay;
};

Split split(const Station& station) {
  if (station.kind == StationKind::delay) return {0, station.demand.value};
  const double queue = station.demand.value / static_cast<double>(station.servers);
  return {queue, station.demand.value - queue};
}

double working_servers(const Station& station) {
  return station.kind == StationKind::delay ? 1 : static_cast<double>(station.servers);
}

// One step of the recursion: n users see the queues that n - 1 leave behind. `queued` is carried along.
ClosedResult mva_step(const ClosedNetwork& network, std::int64_t n, std::vector<double>& queued) {
  ClosedResult result;
  result.population = n;
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const auto [queue, delay] = split(network.stations[k]);
    result.stations.push_back({.residence = Seconds{queue * (1 + queued[k]) + delay}});
    result.response += result.stations[k].residence;
  }
  result.throughput = Hertz{static_cast<double>(n) / (network.think.value + result.response.value)};
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    StationResult& station = result.stations[k];
    const Split parts = split(network.stations[k]);
    queued[k] = result.throughput.value * (station.residence.value - parts.delay);
    station.in_station = result.throughput.value * station.residence.value;
    station.utilisation =
        result.throughput.value * network.stations[k].demand.value / working_servers(network.stations[k]);
  }
  return result;
}

std::vector<ClosedResult> mva(const ClosedNetwork& network, const std::vector<std::int64_t>& populations) {
  std::vector<ClosedResult> results(populations.size());
  std::vector<double> queued(network.stations.size(), 0);
  const std::int64_t most = *std::ranges::max_element(populations);
  for (std::int64_t n = 1; n <= most; ++n) {
    const ClosedResult step = mva_step(network, n, queued);
    for (std::size_t i = 0; i < populations.size(); ++i) {
      if (populations[i] == n) results[i] = step;
    }
  }
  return results;
}

}  // namespace

std::size_t bottleneck(const ClosedNetwork& network) {
  std::size_t slowest = 0;
  for (std::size_t k = 1; k < network.stations.size(); ++k) {
    if (split(network.stations[k]).queue > split(network.stations[slowest]).queue) slowest = k;
  }
  return slowest;
}

double knee(const ClosedNetwork& network) {
  check_network(network);
  const double slowest = split(network.stations[bottleneck(network)]).queue;
  return (total_demand(network) + network.think.value) / slowest;
}

NetworkBounds network_bounds(const ClosedNetwork& network, std::int64_t population) {
  check_network(network);
  check_population(population, std::numeric_limits<std::int64_t>::max());
  const double demand = total_demand(network);
  const auto n = static_cast<double>(population);
  const double slowest = split(network.stations[bottleneck(network)]).queue;
  const double throughput = std::min(1 / slowest, n / (demand + network.think.value));
  return {Hertz{throughput}, Seconds{std::max(demand, n * slowest - network.think.value)}};
}

std::vector<ClosedResult> solve_closed(const ClosedNetwork& network,
                                       const std::vector<std::int64_t>& populations) {
  check_network(network);
  const bool exact = has_multi_server(network) && network.multi_server == MultiServer::exact;
  for (const auto n : populations) check_population(n, exact ? kMostUsersMultiServer : kMostUsers);
  if (populations.empty()) return {};
  auto results = exact ? convolve_closed(network, populations) : mva(network, populations);
  for (auto& result : results) result.bounds = network_bounds(network, result.population);
  return results;
}

}  // namespace sextant::queueing
