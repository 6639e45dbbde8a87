#include "training_data.h"

#include <cmath>

#include "sextant/measure/drawn_network.h"

namespace sextant::engine {

std::optional<input::SampleSetRequest> sample_request(const measure::Trial& trial, const nets::Graph& graph) {
  const nets::Network network = measure::trial_network(trial.job.net);
  if (network.input != nets::InputKind::image) return std::nullopt;
  for (const nets::Node& node : graph.nodes) {
    if (!std::holds_alternative<nets::Input>(node.op)) continue;
    if (node.output.size() != 4) return std::nullopt;  // clips or vectors are drawn, as tokens are
    return input::SampleSetRequest{.name = trial.data,
                                   .split = input::Split::train,
                                   .shape = {node.output[1], node.output[2], node.output[3]},
                                   .classes = bind(network, trial.job.sizes).classes,
                                   .seed = trial.seed};
  }
  throw InputError("network '" + trial.job.net + "' has no input");
}

TrainingData::TrainingData(const measure::Trial& trial, const nets::Graph& graph, const BatchShare& share)
    : trial_(trial), request_(sample_request(trial, graph)) {
  if (!request_) return;
  set_ = open_sample_set(*request_);
  batches_ = make_batches(*set_, {.batch = share.batch,
                                  .worker = share.process,
                                  .workers = share.processes,
                                  .prefetch = trial.prefetch,
                                  .seed = trial.seed});
}

std::int64_t TrainingData::iterations() const {
  if (!trial_.epochs) return trial_.warmup + trial_.iterations;
  if (!batches_) {
    throw InputError("network '" + trial_.job.net + "' reads drawn input: an epoch has no end");
  }
  const double iterations = std::ceil(*trial_.epochs * static_cast<double>(batches_->batches_per_epoch()));
  if (!(iterations >= 0 && iterations < 1e15)) throw InputError("that many epochs never end");
  return static_cast<std::int64_t>(iterations);
}

std::unique_ptr<input::SampleSet> TrainingData::open_test_set() const {
  if (!request_ || !input::has_test_split(trial_.data)) return nullptr;
  input::SampleSetRequest request = *request_;
  request.split = input::Split::test;
  return open_sample_set(request);
}

}  // namespace sextant::engine
