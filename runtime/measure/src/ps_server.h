// A parameter server: one thread for each worker, buckets of parameters with an optimizer each. Synchronous:
// a bucket is updated with the mean when all workers have pushed it, summed in the order of ranks; with a
// rule or an attack all buckets are, when all workers have pushed them, since rules see whole gradients.
// Otherwise each push is an update at once, and a worker that finished c iterations starts the next when the
// slowest has finished at least c - bound (stale synchronous parallel, Ho et al., NIPS 2013).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "ps_defence.h"
#include "server_protocol.h"
#include "sextant/measure/training_strategy.h"

namespace sextant::measure {

struct PsMode {
  bool synchronous = true;
  double bound = 0;        // iterations, of what is not synchronous; infinite: nobody waits
  PsDefence defence = {};  // synchronous only
};

class PsServer {
 public:
  PsServer(const StrategySetup& setup, PsMode mode) : setup_(setup), mode_(std::move(mode)) {}
  void serve();  // until all workers have said goodbye

 private:
  struct ServerBucket {
    std::mutex mutex;
    std::vector<float> parameters;
    std::unique_ptr<FlatOptimizer> optimizer;
    std::size_t offset = 0;  // in the rows
    std::int64_t arrived = 0;
    std::int64_t finished = 0;  // iterations
  };

  void serve_worker(std::int64_t worker);
  void hello(std::int64_t worker, const ServerHead& head);
  void receive_values(std::int64_t worker, const ServerHead& head);
  void agree(std::uint64_t checksum);
  void push(std::int64_t worker, const ServerHead& head, std::vector<float>& room);
  [[nodiscard]] std::span<float> pushed(std::size_t worker, const ServerBucket& bucket);
  void pushed_by_one(ServerBucket& bucket, std::int64_t iteration);
  void apply_mean(ServerBucket& bucket);
  void apply_rule(std::int64_t iteration);
  void wait_for_turn(std::int64_t worker);
  void answer(std::int64_t worker, std::vector<float>& room);
  void send_state();
  void note(const ServerHead& head, std::int64_t worker, std::int64_t start) const;
  void fail(std::exception_ptr error);
  void check_failed() const;  // with mutex_ held

  StrategySetup setup_;
  PsMode mode_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::unique_ptr<ServerBucket>> buckets_;
  std::vector<std::vector<float>> rows_;  // what each worker pushed, all buckets; synchronous only
  std::unique_ptr<PsRound> round_;        // none: the mean, bucket by bucket
  std::size_t complete_ = 0;              // buckets that all have pushed, in this iteration
  std::vector<std::int64_t> clocks_;      // finished iterations by worker
  std::vector<std::uint64_t> checksums_;
  std::exception_ptr error_;
};

}  // namespace sextant::measure
