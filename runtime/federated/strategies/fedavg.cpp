// The mean of the clients' models, each weighted by its number of samples. Moved along by the updates, which
// is the same: w + sum n_k (w_k - w) / sum n_k = sum n_k w_k / sum n_k.
#include "sextant/federated/strategy.h"

namespace sextant::federated::federated_strategy_fedavg {

std::vector<FederatedStrategyInfo> plugin() {
  return {{{.id = "fedavg",
            .summary = "the mean of the clients' models, weighted by their samples",
            .reference = "McMahan et al., Communication-Efficient Learning of Deep Networks from "
                         "Decentralized Data, AISTATS 2017"},
           {},
           [](const Parameters&, const Federation&, std::size_t) {
             return std::make_unique<FederatedStrategy>();
           }}};
}

}  // namespace sextant::federated::federated_strategy_fedavg
