#include <algorithm>
#include <cmath>
#include <limits>

#include "closed_network.h"

namespace sextant::queueing {
namespace {

using Logs = std::vector<double>;  // logarithm of a weight for 0, 1, ..., N users

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// Weight of j users at a station: D^j / (rate(1) ... rate(j)), where j users are served at rate min(j, c).
Logs station_weights(double demand, double servers, std::size_t users) {
  Logs weights(users + 1, 0);
  for (std::size_t j = 1; j <= users; ++j) {
    weights[j] = weights[j - 1] + std::log(demand / std::min(static_cast<double>(j), servers));
  }
  return weights;
}

double log_sum(const Logs& a, const Logs& b, std::size_t n) {
  double largest = kImpossible;
  for (std::size_t j = 0; j <= n; ++j) largest = std::max(largest, a[j] + b[n - j]);
  if (largest == kImpossible) return kImpossible;
  double sum = 0;
  for (std::size_t j = 0; j <= n; ++j) {
    const double below = a[j] + b[n - j] - largest;
    if (below > -50) sum += std::exp(below);  // less changes no digit of a sum of 3000 terms
  }
  return largest + std::log(sum);
}

Logs convolve(const Logs& a, const Logs& b) {
  Logs sum(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) sum[n] = log_sum(a, b, n);
  return sum;
}

// Mean number at the station with n users: sum of j w(j) others(n - j) / all(n).
double mean_number(const Logs& station, const Logs& others, double all, std::size_t n) {
  double mean = 0;
  for (std::size_t j = 1; j <= n; ++j) {
    mean += static_cast<double>(j) * std::exp(station[j] + others[n - j] - all);
  }
  return mean;
}

double servers_of(const Station& station) {
  return station.kind == StationKind::delay ? std::numeric_limits<double>::infinity()
                                            : static_cast<double>(station.servers);
}

// Weights of each station, of all of them together, and of all but one.
struct Weights {
  std::vector<Logs> station;
  std::vector<Logs> others;
  Logs all;
};

Weights weigh(const ClosedNetwork& network, std::size_t users) {
  Weights weights;
  for (const auto& station : network.stations) {
    weights.station.push_back(station_weights(station.demand.value, servers_of(station), users));
  }
  // Thinking is a delay. Prefixes and suffixes give every product that leaves one station out.
  std::vector<Logs> prefix = {
      station_weights(network.think.value, std::numeric_limits<double>::infinity(), users)};
  for (const auto& station : weights.station) prefix.push_back(convolve(prefix.back(), station));
  weights.all = prefix.back();
  Logs suffix(users + 1, kImpossible);
  suffix[0] = 0;  // no user, weight 1
  for (std::size_t k = network.stations.size(); k-- > 0;) {
    weights.others.insert(weights.others.begin(), convolve(prefix[k], suffix));
    suffix = convolve(weights.station[k], suffix);
  }
  return weights;
}

ClosedResult result_at(const ClosedNetwork& network, const Weights& weights, std::size_t n) {
  ClosedResult result;
  result.population = static_cast<std::int64_t>(n);
  result.throughput = Hertz{std::exp(weights.all[n - 1] - weights.all[n])};
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const Station& station = network.stations[k];
    StationResult part;
    part.in_station = mean_number(weights.station[k], weights.others[k], weights.all[n], n);
    part.residence = Seconds{part.in_station / result.throughput.value};
    const double busy = result.throughput.value * station.demand.value;
    part.utilisation = station.kind == StationKind::delay ? busy : busy / servers_of(station);
    result.response += part.residence;
    result.stations.push_back(part);
  }
  return result;
}

}  // namespace

std::vector<ClosedResult> convolve_closed(const ClosedNetwork& network,
                                          const std::vector<std::int64_t>& populations) {
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(populations));
  const Weights weights = weigh(network, most);
  std::vector<ClosedResult> results;
  for (const auto n : populations)
    results.push_back(result_at(network, weights, static_cast<std::size_t>(n)));
  return results;
}

}  // namespace sextant::queueing
