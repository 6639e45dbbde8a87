#include "wire_time.h"

#include <algorithm>
#include <cmath>

namespace sextant::collectives {
namespace {

constexpr double kOne = 1;
constexpr std::int64_t kMostRanks = 10'000'000;

// Where the bytes go: the wire, its nominal rate, and its corrections in a known system.
struct Route {
  const LinkUse* link;
  double cards = 1;
};

Route route_of(const System& system, const CollectiveQuestion& q) {
  if (q.nodes > 1) {
    const bool message = q.collective == Collective::p2p;
    const std::int64_t per_node = message ? 1 : (q.gpus + q.nodes - 1) / q.nodes;
    return {&*system.network, static_cast<double>(cards_in_use(system, per_node))};
  }
  if (system.pairs && q.gpus > 2) return {&*system.pairs};
  return {&system.inside};
}

// Steps of a ring and bytes over its slowest link; all-to-all sends what leaves the node, or the rank.
void set_work(const CollectiveQuestion& q, Terms& t) {
  const auto p = static_cast<double>(q.gpus);
  const double share = (p - 1) / p * q.bytes.value;
  t.steps = p - 1;
  t.volume = share;
  switch (q.collective) {
    case Collective::all_reduce:
      t.steps = 2 * (p - 1);
      t.volume = 2 * share;
      break;
    case Collective::broadcast:
      t.volume = q.bytes.value;
      break;
    case Collective::all_to_all:
      if (q.nodes > 1) {
        const auto n = static_cast<double>(q.nodes);
        t.volume = p / n * (n - 1) / n * q.bytes.value;
      }
      break;
    case Collective::p2p:
      t.steps = 1;
      t.volume = q.bytes.value;
      break;
    case Collective::reduce_scatter:
    case Collective::all_gather:
      break;
  }
}

void set_corrections(const SystemCorrection& c, const System& system, const CollectiveQuestion& q, Terms& t) {
  t.host = &c.host;
  if (q.nodes > 1) {
    t.link = &c.network;
    if (!t.message) t.second = &c.reduce;
  } else if (t.message) {
    t.link = &c.message;
  } else {
    t.link = system.pairs && q.gpus > 2 ? &c.pairs : &c.inside;
  }
}

// Whichever is longer, with a rounded corner.
double longer(double a, double b) {
  const double most = std::max(a, b);
  const double ratio = std::min(a, b) / most;
  const double square = ratio * ratio;
  const double eighth = square * square * square * square;
  return most * std::sqrt(std::sqrt(std::sqrt(1 + eighth)));
}

WireTime message_time(const Terms& t, double rate) {
  const double transfer = t.volume / (rate * t.wire->p2p_gain);
  return {longer(t.wire->p2p_floor, *t.start * t.wire->p2p_start + transfer), transfer};
}

}  // namespace

std::string placement_key(const System& system, const CollectiveQuestion& q) {
  return to_string(q.collective) + "/" + fold_name(system.id) + "/" + std::to_string(q.gpus) + "/" +
         std::to_string(q.nodes);
}

Terms terms_of(const Calibration& calibration, const System& system, const CollectiveQuestion& q) {
  Terms t;
  t.message = q.collective == Collective::p2p;
  t.launch = &calibration.launch;
  t.architecture = t.host = t.link = t.second = t.rate = t.start = &kOne;
  const Route route = route_of(system, q);
  t.wire = &calibration.wires.at(static_cast<std::size_t>(route.link->wire));
  t.host_bound = route.link->wire == Wire::direct;
  t.bandwidth = route.link->bandwidth.value;
  t.cards = route.cards;
  t.card_exponent = &calibration.card_exponent;
  if (q.nodes > 1 && q.gpus > q.nodes) {
    const LinkUse& inside = system.pairs && q.gpus > 2 * q.nodes ? *system.pairs : system.inside;
    t.ceiling =
        inside.bandwidth.value * calibration.wires.at(static_cast<std::size_t>(inside.wire)).efficiency;
  }
  set_work(q, t);
  if (q.collective == Collective::all_reduce && q.nodes == 1 && reduces_in_switch(system)) {
    const auto p = static_cast<double>(q.gpus);
    t.switch_steps = p;
    t.switch_volume = (p + 1) / p / kSwitchShare * q.bytes.value;
  }
  if (const auto it = calibration.architectures.find(system.architecture);
      it != calibration.architectures.end()) {
    t.architecture = &it->second;
  }
  if (const auto it = calibration.systems.find(fold_name(system.id)); it != calibration.systems.end()) {
    set_corrections(it->second, system, q, t);
  }
  if (const auto it = calibration.placements.find(placement_key(system, q));
      it != calibration.placements.end()) {
    t.rate = &it->second.rate;
    t.start = &it->second.start;
  }
  return t;
}

WireTime time_of(const Terms& t) {
  const WireCoefficients& w = *t.wire;
  const double cards = t.cards > 1 ? std::pow(t.cards, *t.card_exponent) : 1;
  double rate = cards * t.bandwidth * w.efficiency * *t.link * *t.second * *t.rate;
  if (t.ceiling > 0) rate = std::min(rate, t.ceiling);
  if (t.message) return message_time(t, rate);
  const double host = *t.architecture * *t.host;
  const double start = *t.start * (t.host_bound ? host : 1);
  const double bulk_transfer = t.volume / rate;
  const double quick_transfer = bulk_transfer / std::min(1.0, w.quick_efficiency);
  const double bulk = start * w.start + t.steps * w.step + bulk_transfer;
  const double quick = start * w.quick_start + t.steps * w.quick_step + quick_transfer;
  const double switch_transfer = t.switch_volume / rate;
  const double switched = start * w.start + t.switch_steps * w.step + switch_transfer;
  const double least = std::min(quick, bulk);
  if (t.switch_volume > 0 && switched < least)
    return {longer(*t.launch * host, switched), switch_transfer, false, true};
  const bool quicker = quick < bulk;
  return {longer(*t.launch * host, least), quicker ? quick_transfer : bulk_transfer, quicker};
}

bool near_launch(const Terms& t, const WireTime& time) {
  const double floor = t.message ? t.wire->p2p_floor : *t.launch * *t.architecture * *t.host;
  return time.total < 2 * floor;
}

void check_question(const System& system, const CollectiveQuestion& q) {
  if (q.gpus < 1 || q.gpus > kMostRanks) {
    throw InputError({"num_gpus"}, "the number of GPUs is not from 1 to " + std::to_string(kMostRanks));
  }
  if (q.nodes < 1 || q.nodes > q.gpus) {
    throw InputError({"num_nodes"}, "the number of nodes is not from 1 to the number of GPUs");
  }
  if (q.collective == Collective::p2p && q.gpus > 2) {
    throw InputError({"num_gpus"}, "a message takes exactly 2 GPUs: it goes from one to another");
  }
  const std::int64_t per_node = (q.gpus + q.nodes - 1) / q.nodes;
  if (per_node > system.gpus) {
    throw InputError({"num_gpus"}, system.id + " has " + std::to_string(system.gpus) + " GPUs a node, not " +
                                       std::to_string(per_node));
  }
  if (q.nodes > 1 && !system.network) {
    throw InputError({"num_nodes"}, "no network is stated that joins nodes of " + system.id,
                     "name one in a file of systems, or with `network`");
  }
  if (!(q.bytes.value >= 0) || q.bytes.value > 1e18) {
    throw InputError({"bytes"}, "the size is not from 0 to 1e18 bytes");
  }
}

}  // namespace sextant::collectives
