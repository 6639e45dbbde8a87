// Attackers send their own update, longer by a factor.
#include "sextant/robust/attack.h"

namespace sextant::robust::attack_scaling {
namespace {

class Scaling final : public Attack {
 public:
  explicit Scaling(double factor) : factor_(static_cast<float>(factor)) {}

  void forge(const AttackRound&, std::vector<std::vector<float>>& out) override {
    for (auto& row : out) {
      for (float& value : row) value *= factor_;
    }
  }

 private:
  float factor_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "scaling";
  info.summary = "attackers send their own update times a factor";
  info.reference = "Bhagoji et al., ICML 2019 (explicit boosting)";
  info.parameters = {
      number_parameter("factor", "of the own update", {.fallback = 10, .low = -1e6, .high = 1e6})};
  info.aliases = {"boosting"};
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Scaling>(setup.parameters.number("factor"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_scaling
