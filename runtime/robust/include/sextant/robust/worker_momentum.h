// Worker momentum (Karimireddy, He, Jaggi, ICML 2021): a worker sends m = beta m + (1 - beta) g instead of
// its gradient g, from m = 0 on. What honest workers send then differs less between them, which is what rules
// live on. Code bases that send beta m + g have the same with a learning rate that is 1 - beta times as
// large.
#pragma once

#include <span>
#include <vector>

namespace sextant::robust {

class WorkerMomentum {
 public:
  explicit WorkerMomentum(double beta = 0.9) : beta_(beta) {}
  // In place.
  void apply(std::span<float> update);
  [[nodiscard]] const std::vector<float>& state() const { return momentum_; }
  void set_state(std::vector<float> momentum) { momentum_ = std::move(momentum); }

 private:
  double beta_;
  std::vector<float> momentum_;
};

}  // namespace sextant::robust
