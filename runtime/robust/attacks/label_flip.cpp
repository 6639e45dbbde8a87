// Attackers train on samples of one class with the label of another. Tolpegin et al., ESORICS 2020.
#include "targeted_flip.h"

namespace sextant::robust::attack_label_flip {
namespace {

class LabelFlip final : public Attack {
 public:
  explicit LabelFlip(const TargetedFlip& flip) : flip_(flip) {}
  void poison(const Samples& samples, Rng&) const override { flip_.poison(samples); }
  void pose(const Samples& samples) const override { flip_.pose(samples); }

 private:
  TargetedFlip flip_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "label-flip";
  info.summary = "attackers train on one class with the label of another";
  info.reference = "Tolpegin et al., ESORICS 2020";
  info.parameters = flip_parameters();
  info.aliases = {"targeted-label-flip"};
  info.poisons = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<LabelFlip>(make_flip(setup.parameters));
  };
  return {info};
}

}  // namespace sextant::robust::attack_label_flip
