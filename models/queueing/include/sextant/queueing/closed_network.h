// Closed networks: N users think, visit stations with given demands, and think again. Exact mean-value
// analysis (Reiser, Lavenberg 1980); stations with several servers exactly, or by Seidmann's approximation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::queueing {

enum class StationKind { queue, delay };

struct Station {
  std::string name;
  Seconds demand;  // visits * service time, for one user
  StationKind kind = StationKind::queue;
  std::int64_t servers = 1;  // of a queue
};

enum class MultiServer { exact, seidmann };

struct ClosedNetwork {
  std::vector<Station> stations;
  Seconds think = Seconds{0};
  MultiServer multi_server = MultiServer::exact;
};

struct StationResult {
  Seconds residence;       // over all visits
  double in_station = 0;   // mean number, in service and waiting
  double utilisation = 0;  // of each server; of a delay the mean number
};

struct NetworkBounds {
  Hertz throughput;  // at most min(c / D) and N / (D + Z)
  Seconds response;  // at least D, and N / throughput bound - Z
};

struct ClosedResult {
  std::int64_t population = 0;
  Hertz throughput;
  Seconds response;  // of one turn, without thinking
  std::vector<StationResult> stations;
  NetworkBounds bounds;
};

// The populations asked for, in that order. InputError: no station; demands or think time that are negative
// or not finite, or all 0; servers or population below 1; a population too large for the method (10^6, or
// 3000 with several servers, exactly).
std::vector<ClosedResult> solve_closed(const ClosedNetwork& network,
                                       const std::vector<std::int64_t>& populations);

NetworkBounds network_bounds(const ClosedNetwork& network, std::int64_t population);
// Where the two bounds of the throughput meet, N* = (D + Z) / max(D / c): with more users they queue.
double knee(const ClosedNetwork& network);
// Index of the station with the largest D / c; delays never are.
std::size_t bottleneck(const ClosedNetwork& network);

}  // namespace sextant::queueing
