#include "sextant/robust/worker_momentum.h"

namespace sextant::robust {

void WorkerMomentum::apply(std::span<float> update) {
  if (momentum_.size() != update.size()) momentum_.assign(update.size(), 0);
  const auto keep = static_cast<float>(beta_);
  const auto take = static_cast<float>(1 - beta_);
  for (std::size_t i = 0; i < update.size(); ++i) {
    momentum_[i] = keep * momentum_[i] + take * update[i];
    update[i] = momentum_[i];
  }
}

}  // namespace sextant::robust
