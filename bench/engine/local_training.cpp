// A client's epoch on the perceptron of the robustness studies: the chain of products against the replica
// that libtorch trains, in turn.
#include "comparisons.h"
#include "dense_chain.h"
#include "engine_threads.h"
#include "pairs.h"
#include "sextant/engine/executor.h"
#include "sextant/measure/clock.h"
#include "sextant/nets/network.h"

namespace sextant::bench {
namespace {

constexpr int kClientPairs = 21;
constexpr std::int64_t kSteps = 60;

double step_seconds(federated::LocalModel& model, const federated::Samples& samples) {
  const std::int64_t start = measure::monotonic_ns();
  model.train(samples, {.steps = kSteps, .batch = 32, .learning_rate = 0.01});
  return measure::seconds_since(start) / static_cast<double>(kSteps);
}

}  // namespace

void compare_clients() {
  engine::prepare_process(1);
  const nets::Graph graph = build(nets::find_network("flanders-mlp"), {.batch = 32});
  federated::Samples samples{.width = 784};
  Rng rng(1);
  for (std::int64_t i = 0; i < 600; ++i) {
    for (int k = 0; k < 784; ++k) samples.values.push_back(static_cast<float>(rng.normal()));
    samples.labels.push_back(static_cast<std::int64_t>(rng.below(10)));
  }
  auto first = engine::make_replica(graph, {});
  const auto chain = engine::dense_chain(graph, first);
  const auto replica = federated::replica_model(engine::make_replica(graph, {}), 32);
  TimedPairs pairs;
  for (int i = 0; i < kClientPairs; ++i) {
    pairs.subject.push_back(step_seconds(*chain, samples));
    pairs.baseline.push_back(step_seconds(*replica, samples));
  }
  print_pairs("flanders-mlp, a client's step, chain against replica", pairs);
}

}  // namespace sextant::bench
