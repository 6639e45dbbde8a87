#include "sextant/parallel/workload.h"

#include <utility>

namespace sextant::parallel {

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
          b.kept - a.kept};
}

Seconds Workload::step(double samples) const {
  return total().forward_of(samples) + total().backward_of(samples) + total().update + terms_.input;
}

}  // namespace sextant::parallel
