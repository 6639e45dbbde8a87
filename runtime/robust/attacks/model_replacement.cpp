// A backdoor whose updates are made longer, so that the mean becomes the attackers' model: the update times
// n / (eta f), of n participants and f attackers, where eta is the rate with which the server applies the
// mean. Bagdasaryan et al., AISTATS 2020, who have f = 1 and call n / eta the scale.
#include "trigger.h"

namespace sextant::robust::attack_model_replacement {
namespace {

class ModelReplacement final : public Attack {
 public:
  explicit ModelReplacement(const AttackSetup& setup)
      : trigger_(make_trigger(setup.parameters)),
        scale_(setup.parameters.number("scale")),
        rate_(setup.parameters.number("eta")) {}

  void poison(const Samples& samples, Rng& rng) const override { trigger_.poison(samples, rng); }
  void pose(const Samples& samples) const override { trigger_.pose(samples); }

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    if (out.empty()) return;
    const double fitting =
        static_cast<double>(round.participants) / (rate_ * static_cast<double>(out.size()));
    const auto factor = static_cast<float>(scale_ > 0 ? scale_ : fitting);
    for (auto& row : out) {
      for (float& value : row) value *= factor;
    }
  }

 private:
  Trigger trigger_;
  double scale_;
  double rate_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "model-replacement";
  info.summary = "a backdoor, with updates long enough to replace the model";
  info.reference = "Bagdasaryan et al., AISTATS 2020";
  info.parameters = trigger_parameters();
  ParameterInfo scale = number_parameter("scale", "of the own update; auto: participants / (eta * attackers)",
                                         {.fallback = 0, .low = 0, .high = 1e9});
  scale.words = {{.name = "auto", .value = 0}};
  info.parameters.push_back(scale);
  info.parameters.push_back(number_parameter("eta", "rate with which the server applies the mean",
                                             {.fallback = 1, .low = 1e-6, .high = 1e6}));
  info.poisons = true;
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<ModelReplacement>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::attack_model_replacement
