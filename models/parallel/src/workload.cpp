#include "sextant/parallel/workload.h"

#include <utility>

#include "sextant/predict/predictor.h"

namespace sextant::parallel {

Seconds LoadSum::forward_of(double samples) const {
  return predict::side_by_side(forward_start + samples * forward, forward_issue);
}

Seconds LoadSum::backward_of(double samples) const {
  return predict::side_by_side(backward_start + samples * backward, backward_issue);
}

Seconds LoadSum::update_of_all() const {
  return predict::side_by_side(update, update_issue);
}

Workload::Workload(std::vector<LayerLoad> layers, const WorkloadTerms& terms)
    : layers_(std::move(layers)), terms_(terms) {
  LoadSum sum;
  prefix_.reserve(layers_.size() + 1);
  prefix_.push_back(sum);
  for (const LayerLoad& layer : layers_) {
    sum.weights += layer.weights;
    sum.forward += layer.forward;
    sum.backward += layer.backward;
    sum.forward_start += layer.forward_start;
    sum.backward_start += layer.backward_start;
    sum.update += layer.update;
    sum.forward_issue += layer.forward_issue;
    sum.backward_issue += layer.backward_issue;
    sum.update_issue += layer.update_issue;
    sum.kept += layer.kept;
    prefix_.push_back(sum);
  }
}

LoadSum Workload::between(std::size_t first, std::size_t last) const {
  const LoadSum& a = prefix_[first];
  const LoadSum& b = prefix_[last];
  return {b.weights - a.weights,
          b.forward - a.forward,
          b.backward - a.backward,
          b.forward_start - a.forward_start,
          b.backward_start - a.backward_start,
          b.update - a.update,
          b.forward_issue - a.forward_issue,
          b.backward_issue - a.backward_issue,
          b.update_issue - a.update_issue,
          b.kept - a.kept};
}

Seconds Workload::step(double samples) const {
  return total().forward_of(samples) + total().backward_of(samples) + total().update_of_all() + terms_.input;
}

std::shared_ptr<const Workload> Workload::for_pass(double samples) const {
  std::shared_ptr<const Workload> priced = pricing_ ? pricing_(samples) : nullptr;
  if (priced != nullptr) return priced;
  return {std::shared_ptr<const Workload>{}, this};
}

}  // namespace sextant::parallel
