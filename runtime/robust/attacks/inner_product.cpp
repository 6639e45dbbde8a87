// Inner-product manipulation: attackers send -epsilon times the mean of the honest updates, so that the inner
// product of the aggregate and the true direction becomes negative. Xie, Koyejo, Gupta, UAI 2019. The default
// is ByzFL's, whose 1 - tau is -2; Blades and epfml have 0.1, which hides, and Blades also 100.
#include "flat_math.h"
#include "visible_updates.h"

namespace sextant::robust::attack_inner_product {
namespace {

class InnerProduct final : public Attack {
 public:
  explicit InnerProduct(double epsilon) : epsilon_(epsilon) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    const Updates& seen = visible_updates(round);
    const std::vector<double> weights(seen.size(), -epsilon_ / static_cast<double>(seen.size()));
    std::vector<float> sent;
    weighted_sum(seen, weights, 1, sent);
    for (auto& row : out) row = sent;
  }

 private:
  double epsilon_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "inner-product";
  info.summary = "attackers send the opposite of the honest mean, times a factor";
  info.reference = "Xie, Koyejo, Gupta, UAI 2019";
  info.parameters = {
      number_parameter("epsilon", "of -epsilon * honest mean", {.fallback = 2, .low = 0, .high = 1e6})};
  info.aliases = {"ipm"};
  info.forges = true;
  info.omniscient = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<InnerProduct>(setup.parameters.number("epsilon"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_inner_product
