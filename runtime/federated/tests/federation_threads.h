// A federation whose processes are threads.
#pragma once

#include <filesystem>
#include <functional>

#include "sextant/federated/one_process.h"
#include "softmax_replica.h"

namespace sextant::federated::test {

inline Federation small_federation() {
  Federation federation;
  federation.clients = 6;
  federation.rounds = 4;
  federation.hosts = 2;
  federation.sizes.batch = 4;
  federation.learning_rate = 0.2;
  return federation;
}

inline std::unique_ptr<LocalModel> softmax_model(const Federation& federation) {
  return replica_model(std::make_unique<SoftmaxReplica>(), federation.sizes.batch);
}

struct ThreadOptions {
  std::int64_t samples = 240;
  std::filesystem::path state = {};                                        // exists
  std::function<void(std::int64_t round)> finished = [](std::int64_t) {};  // on the server
};

// Throws what the first process threw; the others are released.
inline std::vector<RoundNote> run_in_threads(const Federation& federation, const ThreadOptions& options) {
  const FederatedData data = drawn_data(federation, options.samples);
  const Samples test = drawn_test_samples(300);
  return run_in_one_process({.federation = federation,
                             .data = data,
                             .test = test,
                             .make_model = [&] { return softmax_model(federation); },
                             .state = measure::RunFolder(options.state),
                             .finished = options.finished});
}

}  // namespace sextant::federated::test
