// Attackers send the opposite of what they computed, longer by a factor: -scale * own. Li et al., AAAI 2019
// (RSA), multiply by -4, the default; bit-flip attacks of other code bases are this with scale 1.
#include "sextant/robust/attack.h"

namespace sextant::robust::attack_sign_flip {
namespace {

class SignFlip final : public Attack {
 public:
  explicit SignFlip(double scale) : factor_(static_cast<float>(-scale)) {}

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
  info.id = "sign-flip";
  info.summary = "attackers send the opposite of their own update, times a factor";
  info.reference = "Li et al., RSA, AAAI 2019";
  info.parameters = {
      number_parameter("scale", "of -scale * own update", {.fallback = 4, .low = 0, .high = 1e6})};
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<SignFlip>(setup.parameters.number("scale"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_sign_flip
