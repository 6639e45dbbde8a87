// Worker momentum (Karimireddy, He, Jaggi, ICML 2021): a worker sends m = beta m + (1 - beta) g instead of its gradient g.
// What honest workers send then differs less between them, which is what rules live on.
#pragma once

#include <span>
#include <vector>

namespace sextant::robust {

class WorkerMomentum {
 public:
  explicit WorkerMomentum(double beta = 0.9) : beta_(beta) {}
  // In place. The first one is sent as it is: m starts with it rather than with zero, which would shorten it.
  void apply(std::span<float> update);
  [[nodiscard]] const std::vector<float>& state() const { return momentum_; }
  void set_state(std::vector<float> momentum) { momentum_ = std::move(momentum); }

 private:
  double beta_;
  std::vector<float> momentum_;
};

}  // namespace sextant::robust
