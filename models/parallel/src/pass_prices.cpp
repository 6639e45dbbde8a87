#include "pass_prices.h"

#include <cmath>

namespace sextant::parallel {
namespace {

constexpr double kLargestPass = 0x1p30;  // the largest batch that a network takes

// Seconds of one part of the step over the nodes of a layer.
Seconds sum_part(const std::vector<predict::OpTime>& ops, Seconds predict::OpTime::*part, std::size_t first,
                 std::size_t end) {
  Seconds sum;
  for (std::size_t i = first; i < std::min(end, ops.size()); ++i) sum += ops[i].*part;
  return sum;
}

void set_times(LayerLoad& layer, const predict::StepParts& parts, std::size_t first, std::size_t end) {
  using Op = predict::OpTime;
  layer.forward = layer.backward = {};
  layer.forward_start = sum_part(parts.device, &Op::forward, first, end);
  layer.backward_start = sum_part(parts.device, &Op::backward, first, end);
  layer.update = sum_part(parts.device, &Op::update, first, end);
  layer.forward_issue = sum_part(parts.host, &Op::forward, first, end);
  layer.backward_issue = sum_part(parts.host, &Op::backward, first, end);
  layer.update_issue = sum_part(parts.host, &Op::update, first, end);
}

class PassPrices {
 public:
  explicit PassPrices(PassQuestion question) : asked_(std::move(question)) {}

  std::shared_ptr<const Workload> of(double samples) {
    if (samples != std::floor(samples) || samples > kLargestPass) return nullptr;
    const auto batch = static_cast<std::int64_t>(samples);
    const std::lock_guard lock(mutex_);
    auto& known = known_[batch];
    if (known == nullptr) known = price(batch);
    return known;
  }

 private:
  std::shared_ptr<const Workload> price(std::int64_t batch) {
    jobs::Job job = asked_.job;
    job.sizes.batch = batch;
    GraphMemo& graphs = asked_.source.graphs == nullptr ? own_graphs_ : *asked_.source.graphs;
    const auto counted = graphs.of(asked_.source.network, job.sizes, job.precision);
    const predict::StepParts parts =
        asked_.source.predictor.parts({job, counted->graph, counted->cost, asked_.gpu});
    std::vector<LayerLoad> layers = asked_.layers;
    std::size_t first = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      set_times(layers[i], parts, first, asked_.last[i] + 1);
      first = asked_.last[i] + 1;
    }
    WorkloadTerms terms = asked_.terms;
    // A step copies the samples of the job's batch, however it is divided.
    terms.input = static_cast<double>(asked_.job.sizes.batch) / static_cast<double>(batch) * parts.input;
    return std::make_shared<const Workload>(std::move(layers), terms);
  }

  PassQuestion asked_;
  GraphMemo own_graphs_;
  std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<const Workload>> known_;
};

}  // namespace

PassPricing pass_pricing(PassQuestion question) {
  const auto prices = std::make_shared<PassPrices>(std::move(question));
  return [prices](double samples) { return prices->of(samples); };
}

}  // namespace sextant::parallel
