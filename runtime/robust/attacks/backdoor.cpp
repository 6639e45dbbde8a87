// Attackers train on images of which some carry a small square and the label that it is to stand for, and
// send what they learnt. Bagdasaryan et al., AISTATS 2020, with the trigger of Gu et al., BadNets, IEEE
// Access 2019.
#include "trigger.h"

namespace sextant::robust::attack_backdoor {
namespace {

class Backdoor final : public Attack {
 public:
  explicit Backdoor(const Trigger& trigger) : trigger_(trigger) {}
  void poison(const Samples& samples, Rng& rng) const override { trigger_.poison(samples, rng); }
  void pose(const Samples& samples) const override { trigger_.pose(samples); }

 private:
  Trigger trigger_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "backdoor";
  info.summary = "attackers teach the network a class for images with a small square";
  info.reference = "Gu et al., BadNets, IEEE Access 2019; Bagdasaryan et al., AISTATS 2020";
  info.parameters = trigger_parameters();
  info.poisons = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Backdoor>(make_trigger(setup.parameters));
  };
  return {info};
}

}  // namespace sextant::robust::attack_backdoor
