// Attackers want the model without working for it: they send no change, which is the old model again, or the
// change that the global model made in the round before, with noise if that is asked for. Fraboni, Vidal,
// Lorenzi, AISTATS 2021; Lin et al., 2019.
#include "sextant/robust/attack.h"

namespace sextant::robust::attack_free_rider {
namespace {

enum class Sends { nothing, last };

class FreeRider final : public Attack {
 public:
  FreeRider(Sends sends, double noise) : sends_(sends), noise_(noise) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (sends_ == Sends::last && round.last_change.size() == out[i].size()) {
        std::ranges::copy(round.last_change, out[i].begin());
      } else {
        std::ranges::fill(out[i], 0.0F);
      }
      if (!(noise_ > 0)) continue;
      Rng rng = round.rng.stream("noise", i);
      for (float& value : out[i]) value += static_cast<float>(noise_ * rng.normal());
    }
  }

 private:
  Sends sends_;
  double noise_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "free-rider";
  info.summary = "attackers do no work and send the old model, or its last change";
  info.reference = "Fraboni, Vidal, Lorenzi, AISTATS 2021";
  info.parameters = {word_parameter("sends", "nothing: no change; last: the change of the round before",
                                    {"nothing", "last"}, "nothing"),
                     number_parameter("noise", "standard deviation of what is added",
                                      {.fallback = 0, .low = 0, .high = 1e6})};
  info.aliases = {"stale"};
  info.forges = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<FreeRider>(setup.parameters.one_of<Sends>("sends"),
                                       setup.parameters.number("noise"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_free_rider
