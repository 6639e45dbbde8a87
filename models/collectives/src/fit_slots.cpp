#include "fit_slots.h"

#include <cmath>

namespace sextant::collectives {

// Latencies of a step are of the order of those in NCCL 2's tuner (src/graph/tuning.cc, from memory). They
// and the rates were set with the measured tables in view: docs/models/collectives.md says what that is
// worth.
Calibration prior_calibration() {
  Calibration c;
  const auto set = [&c](Wire wire, const WireCoefficients& w) {
    c.wires.at(static_cast<std::size_t>(wire)) = w;
  };
  constexpr double kUs = 1e-6;
  WireCoefficients w{.start = 25 * kUs,
                     .quick_start = 15 * kUs,
                     .p2p_gain = 1.4,
                     .p2p_start = 10 * kUs,
                     .p2p_floor = 10 * kUs};
  w.efficiency = 0.65, w.step = 5 * kUs, w.quick_efficiency = 0.7, w.quick_step = 1.5 * kUs;
  set(Wire::direct, w);
  w.efficiency = 0.75, w.step = 6 * kUs, w.quick_efficiency = 0.35, w.quick_step = 1.5 * kUs;
  set(Wire::pcie, w);
  w.efficiency = 0.2, w.step = 10 * kUs, w.quick_step = 10 * kUs;
  set(Wire::staged, w);
  w.efficiency = 0.5, w.step = 14 * kUs, w.quick_step = 5 * kUs;
  set(Wire::network, w);
  return c;
}

std::vector<Slot> slots_of(Calibration& c) {
  std::vector<Slot> slots;
  const auto add = [&slots](double& value, double deviation) {
    slots.push_back({&value, std::log(value), deviation});
  };
  add(c.launch, 0.7);
  add(c.card_exponent, 0.05);
  for (auto& entry : c.architectures) add(entry.second, 0.5);
  for (auto& w : c.wires) {
    add(w.efficiency, 0.2);
    add(w.start, 0.5);
    add(w.step, 0.2);
    add(w.quick_efficiency, 0.1);
    add(w.quick_start, 0.5);
    add(w.quick_step, 0.2);
    add(w.p2p_gain, 0.2);
    add(w.p2p_start, 0.5);
    add(w.p2p_floor, 0.5);
  }
  for (auto& entry : c.systems) {
    SystemCorrection& s = entry.second;
    add(s.host, 0.2);
    for (double* rate : {&s.inside, &s.pairs, &s.network, &s.message}) add(*rate, 0.15);
    add(s.reduce, 0.1);
  }
  for (auto& entry : c.placements) {
    add(entry.second.rate, 0.04);
    add(entry.second.start, 0.15);
  }
  return slots;
}

}  // namespace sextant::collectives
