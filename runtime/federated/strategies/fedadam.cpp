// The server takes the aggregated update as a gradient of Adam's, without the correction of the first steps,
// as in the paper's Algorithm 2.
#include <cmath>

#include "sextant/federated/strategy.h"

namespace sextant::federated::federated_strategy_fedadam {
namespace {

class FedAdam final : public FederatedStrategy {
 public:
  FedAdam(const Parameters& parameters, std::size_t values)
      : rate_(parameters.number("rate")),
        beta1_(parameters.number("beta1")),
        beta2_(parameters.number("beta2")),
        tau_(parameters.number("tau")),
        state_(2 * values) {
    for (std::size_t i = values; i < state_.size(); ++i) state_[i] = static_cast<float>(tau_ * tau_);
  }

  void apply(std::span<float> model, std::span<const float> aggregate) override {
    float* m = state_.data();
    float* v = m + model.size();
    for (std::size_t i = 0; i < model.size(); ++i) {
      const double change = aggregate[i];
      const double first = beta1_ * m[i] + (1 - beta1_) * change;
      const double second = beta2_ * v[i] + (1 - beta2_) * change * change;
      m[i] = static_cast<float>(first);
      v[i] = static_cast<float>(second);
      model[i] += static_cast<float>(rate_ * first / (std::sqrt(second) + tau_));
    }
  }
  std::span<float> state() override { return state_; }

 private:
  double rate_;
  double beta1_;
  double beta2_;
  double tau_;
  std::vector<float> state_;  // first moments, then second ones
};

}  // namespace

std::vector<FederatedStrategyInfo> plugin() {
  return {{{.id = "fedadam",
            .summary = "the server takes the aggregated update as a gradient of Adam's",
            .reference = "Reddi et al., Adaptive Federated Optimization, ICLR 2021",
            .parameters = {number_parameter("rate", "learning rate of the server", {0.01, 1e-9, 1e3}),
                           number_parameter("beta1", "decay of the first moment", {0.9, 0, 0.999999}),
                           number_parameter("beta2", "decay of the second moment", {0.99, 0, 0.999999}),
                           number_parameter("tau", "added to the root; its square starts the second moment",
                                            {1e-3, 1e-12, 1e3})}},
           {},
           [](const Parameters& parameters, const Federation&,
              std::size_t values) -> std::unique_ptr<FederatedStrategy> {
             return std::make_unique<FedAdam>(parameters, values);
           }}};
}

}  // namespace sextant::federated::federated_strategy_fedadam
