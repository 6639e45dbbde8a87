// A federation whose processes are threads.
#pragma once

#include <exception>
#include <mutex>
#include <thread>

#include "sextant/federated/client_host.h"
#include "sextant/federated/server.h"
#include "softmax_replica.h"
#include "thread_transport.h"

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
  measure::ThreadHub hub(federation.hosts, 1);
  std::vector<RoundNote> rounds;
  std::mutex mutex;
  std::exception_ptr error;
  const auto guarded = [&](const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      hub.close();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::int64_t rank = 0; rank <= federation.hosts; ++rank) {
      threads.emplace_back([&, rank] {
        guarded([&] {
          measure::ThreadTransport transport(hub, rank);
          const FederatedData data = drawn_data(federation, options.samples);
          const auto model = softmax_model(federation);
          if (rank < federation.hosts) {
            return run_host({.federation = federation,
                             .data = data,
                             .rank = rank,
                             .transport = transport,
                             .model = *model});
          }
          const Samples test = drawn_test_samples(300);
          rounds = run_server({.federation = federation,
                               .data = data,
                               .test = test,
                               .transport = transport,
                               .model = *model,
                               .state = measure::RunFolder(options.state),
                               .finished = options.finished});
        });
      });
    }
  }
  if (error) std::rethrow_exception(error);
  return rounds;
}

}  // namespace sextant::federated::test
