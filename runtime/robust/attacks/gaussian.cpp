// Attackers send normal noise, around their own update or around zero, and moved by a mean. Blanchard et al.,
// NIPS 2017, have a standard deviation of 200 around zero; the noise of Blades has mean and deviation 0.1.
#include "sextant/robust/attack.h"

namespace sextant::robust::attack_gaussian {
namespace {

enum class Around { own, zero };

class Gaussian final : public Attack {
 public:
  Gaussian(double mean, double sd, Around around) : mean_(mean), sd_(sd), around_(around) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      Rng rng = round.rng.stream("noise", i);
      for (float& value : out[i]) {
        const auto noise = static_cast<float>(mean_ + sd_ * rng.normal());
        value = around_ == Around::own ? value + noise : noise;
      }
    }
  }

 private:
  double mean_;
  double sd_;
  Around around_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "gaussian";
  info.summary = "attackers send normal noise";
  info.reference = "Blanchard et al., NIPS 2017";
  info.parameters = {number_parameter("sd", "standard deviation", {.fallback = 1, .low = 0, .high = 1e9}),
                     number_parameter("mean", "of the noise", {.fallback = 0, .low = -1e9, .high = 1e9}),
                     word_parameter("around", "what it is added to", {"own", "zero"}, "own")};
  info.aliases = {"noise"};
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Gaussian>(setup.parameters.number("mean"), setup.parameters.number("sd"),
                                      setup.parameters.one_of<Around>("around"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_gaussian
