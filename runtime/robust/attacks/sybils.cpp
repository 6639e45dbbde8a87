// One attacker with many names: all train on one class with the label of another and all send the same, the
// mean of what they learnt, with a little noise if that is asked for. Fung, Yoon, Beschastnikh, RAID 2020.
#include "flat_math.h"
#include "targeted_flip.h"

namespace sextant::robust::attack_sybils {
namespace {

class Sybils final : public Attack {
 public:
  Sybils(const TargetedFlip& flip, double noise) : flip_(flip), noise_(noise) {}

  void poison(const Samples& samples, Rng&) const override { flip_.poison(samples); }
  void pose(const Samples& samples) const override { flip_.pose(samples); }

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    if (out.empty()) return;
    const std::vector<double> weights(out.size(), 1 / static_cast<double>(out.size()));
    std::vector<float> same;
    weighted_sum(round.own, weights, 1, same);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = same;
      if (!(noise_ > 0)) continue;
      Rng rng = round.rng.stream("noise", i);
      for (float& value : out[i]) value += static_cast<float>(noise_ * rng.normal());
    }
  }

 private:
  TargetedFlip flip_;
  double noise_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "sybils";
  info.summary = "one attacker with many names: a label flip, and all send the same";
  info.reference = "Fung, Yoon, Beschastnikh, RAID 2020";
  info.parameters = flip_parameters();
  info.parameters.push_back(number_parameter("noise", "standard deviation of what is added",
                                             {.fallback = 0, .low = 0, .high = 1e6}));
  info.aliases = {"sybil"};
  info.poisons = true;
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Sybils>(make_flip(setup.parameters), setup.parameters.number("noise"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_sybils
