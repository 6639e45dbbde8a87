// Steps of a law that is known: 2 clusters, 3 networks, placements over up to 4 nodes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sextant/scaling/row.h"

namespace sextant::scaling::test {

struct KnownNet {
  const char* name;
  double fixed;   // seconds
  double sample;  // seconds
  double sync;    // seconds between two GPUs on two nodes of the first cluster
};

inline const std::vector<KnownNet>& known_nets() {
  static const std::vector<KnownNet> nets = {
      {"small", 0.010, 0.0004, 0.03}, {"middle", 0.040, 0.0020, 0.12}, {"large", 0.150, 0.0100, 0.45}};
  return nets;
}

inline double known_sync(const KnownNet& net, bool slow, const jobs::Placement& at) {
  const double link = net.sync * (slow ? 2 : 1);
  const double inside = 0.2 * link * std::pow(static_cast<double>(at.fullest() - 1), 0.5);
  if (at.nodes() == 1) return inside;
  const double many = at.nodes() > 2 ? 0.8 * std::pow(static_cast<double>(at.nodes()) / 3, 0.2) : 1;
  const auto all = static_cast<double>(at.total());
  return inside + 2 * (all - 1) / all * link * many *
                      std::pow(static_cast<double>(at.fullest() * at.emptiest()), 0.15);
}

// Half of compute is over before the first gradients leave; the exponent of overlap is 3.
inline Seconds known_step(const KnownNet& net, bool slow, const jobs::Placement& at, double batch) {
  const double compute = (slow ? 1.5 : 1) * (net.fixed + net.sample * batch);
  if (at.total() == 1) return Seconds{compute};
  const double beside = 0.5 * compute;
  const double sync = known_sync(net, slow, at);
  return Seconds{0.5 * compute + std::cbrt(beside * beside * beside + sync * sync * sync)};
}

inline std::vector<ScalingRow> known_rows() {
  std::vector<ScalingRow> rows;
  for (const auto& net : known_nets()) {
    for (const bool slow : {false, true}) {
      for (const char* text :
           {"1", "2", "3", "4", "11", "22", "44", "111", "222", "444", "1111", "2222", "4444", "34", "124"}) {
        for (const double batch : {8, 16, 32, 64}) {
          const jobs::Placement at = jobs::parse_placement(text);
          rows.push_back({{net.name, slow ? "slow" : "fast", at, batch}, known_step(net, slow, at, batch)});
        }
      }
    }
  }
  return rows;
}

inline std::string known_csv() {
  std::string text = "net,cluster,placement,batch,measured_s\n";
  for (const auto& row : known_rows()) {
    text += row.at.net + "," + row.at.cluster + "," + to_string(row.at.placement) + "," +
            std::to_string(static_cast<int>(row.at.batch)) + "," + std::to_string(row.step.value) + "\n";
  }
  return text;
}

}  // namespace sextant::scaling::test
