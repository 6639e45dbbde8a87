#include <algorithm>
#include <cmath>

#include "sextant/collectives/calibration.h"
#include "sextant/core/text.h"
#include "wire_time.h"

namespace sextant::collectives {
namespace {

// Whether a collective of this kind was timed on this system, wherever its GPUs stood.
bool timed_on(const Calibration& calibration, const System& system, Collective collective) {
  const std::string prefix = to_string(collective) + "/" + fold_name(system.id) + "/";
  const auto it = calibration.placements.lower_bound(prefix);
  return it != calibration.placements.end() && it->first.starts_with(prefix);
}

Known known_of(const Calibration& calibration, const System& system, const CollectiveQuestion& q) {
  const auto it = calibration.placements.find(placement_key(system, q));
  if (it != calibration.placements.end()) {
    return q.bytes > it->second.largest ? Known::longer : Known::placement;
  }
  return timed_on(calibration, system, q.collective) ? Known::system : Known::nothing;
}

// The most ranks that an all-reduce across nodes was timed with, on any system.
double most_ranks_across(const Calibration& calibration) {
  const std::string prefix = to_string(Collective::all_reduce) + "/";
  double most = 0;
  for (auto it = calibration.placements.lower_bound(prefix);
       it != calibration.placements.end() && it->first.starts_with(prefix); ++it) {
    const std::string& key = it->first;  // .../GPUs/nodes
    const auto nodes = key.rfind('/');
    const auto gpus = key.rfind('/', nodes - 1);
    if (key.substr(nodes + 1) == "1") continue;
    most = std::max(most, to_number(key.substr(gpus + 1, nodes - gpus - 1)).value_or(0));
  }
  return most;
}

// Protocols and cards in use change with the ranks, in ways that smaller groups do not show.
double widening(const Calibration& calibration, const CollectiveQuestion& q, Known known) {
  constexpr double kMoreRanks = 1.5;
  const bool told =
      q.nodes < 2 || q.collective == Collective::p2p || known == Known::placement || known == Known::longer;
  return told || static_cast<double>(q.gpus) <= most_ranks_across(calibration) ? 1 : kMoreRanks;
}

Algorithm modelled_algorithm(Collective collective) {
  if (collective == Collective::p2p) return Algorithm::direct;
  if (collective == Collective::broadcast) return Algorithm::chain;
  return collective == Collective::all_to_all ? Algorithm::pairwise : Algorithm::ring;
}

}  // namespace

CollectiveEstimate estimate(const Calibration& calibration, const System& system,
                            const CollectiveQuestion& question) {
  check_question(system, question);
  CollectiveEstimate e;
  e.algorithm = modelled_algorithm(question.collective);
  e.protocol = "none";
  if (question.gpus < 2) return e;
  const Terms terms = terms_of(calibration, system, question);
  const WireTime time = time_of(terms);
  e.time = Seconds{time.total};
  e.transfer = Seconds{std::min(time.transfer, time.total)};
  e.latency = e.time - e.transfer;
  e.bus = Bandwidth{terms.volume / time.total};
  e.protocol = terms.message ? "message" : time.switched ? "switch" : time.quick ? "quick" : "bulk";
  if (time.switched) e.algorithm = Algorithm::in_switch;
  e.known = known_of(calibration, system, question);
  const auto& widths = terms.message ? calibration.message_widths : calibration.collective_widths;
  const Width& width = widths.at(static_cast<std::size_t>(e.known));
  const double half =
      widening(calibration, question, e.known) * (near_launch(terms, time) ? width.near_launch : width.above);
  e.low = std::exp(-half) * e.time;
  e.high = std::exp(half) * e.time;
  return e;
}

}  // namespace sextant::collectives
