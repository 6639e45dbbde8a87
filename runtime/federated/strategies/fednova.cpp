// Clients that made more steps moved further; FedNova divides each update by its effective steps a_k and
// multiplies the mean by their mean, sum p_k a_k, so that no client pulls harder for having worked longer.
#include "sextant/federated/strategy.h"

namespace sextant::federated::federated_strategy_fednova {
namespace {

class FedNova final : public FederatedStrategy {
 public:
  explicit FedNova(double momentum) : momentum_(momentum) {}
  [[nodiscard]] std::vector<double> scale(std::span<const UpdateNote> updates) const override {
    double samples = 0;
    double sum = 0;
    for (const UpdateNote& update : updates) {
      const auto n = static_cast<double>(update.samples);
      samples += n;
      sum += n * effective_steps(update.steps, momentum_);
    }
    std::vector<double> factors;
    for (const UpdateNote& update : updates) {
      factors.push_back(sum / samples / effective_steps(update.steps, momentum_));
    }
    return factors;
  }

 private:
  double momentum_;
};

}  // namespace

std::vector<FederatedStrategyInfo> plugin() {
  return {{{.id = "fednova",
            .summary = "updates are divided by the steps that made them",
            .reference = "Wang et al., Tackling the Objective Inconsistency Problem in Heterogeneous "
                         "Federated Optimization, NeurIPS 2020"},
           {},
           [](const Parameters&, const Federation& federation,
              std::size_t) -> std::unique_ptr<FederatedStrategy> {
             return std::make_unique<FedNova>(federation.momentum);
           }}};
}

}  // namespace sextant::federated::federated_strategy_fednova
