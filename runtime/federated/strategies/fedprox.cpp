// FedAvg whose clients are held near the server's model: each adds mu/2 |w - w0|^2 to its loss.
#include "sextant/federated/strategy.h"

namespace sextant::federated::federated_strategy_fedprox {
namespace {

class FedProx final : public FederatedStrategy {
 public:
  explicit FedProx(double mu) : mu_(mu) {}
  [[nodiscard]] double proximal() const override { return mu_; }

 private:
  double mu_;
};

}  // namespace

std::vector<FederatedStrategyInfo> plugin() {
  return {{{.id = "fedprox",
            .summary = "FedAvg whose clients are held near the server's model",
            .reference = "Li et al., Federated Optimization in Heterogeneous Networks, MLSys 2020",
            .parameters = {number_parameter("mu", "weight of the distance from the server's model",
                                            {.fallback = 0.01, .low = 0, .high = 1e3})}},
           {},
           [](const Parameters& parameters, const Federation&,
              std::size_t) -> std::unique_ptr<FederatedStrategy> {
             return std::make_unique<FedProx>(parameters.number("mu"));
           }}};
}

}  // namespace sextant::federated::federated_strategy_fedprox
