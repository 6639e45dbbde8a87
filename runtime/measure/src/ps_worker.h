// A worker of parameter servers: pushes gradients in buckets as the backward pass completes them, then takes
// the new parameters.
#pragma once

#include "ps_defence.h"
#include "server_protocol.h"
#include "sextant/measure/training_strategy.h"
#include "shards.h"
#include "transfer_queue.h"

namespace sextant::measure {

class PsWorker final : public TrainingStrategy {
 public:
  explicit PsWorker(const StrategySetup& setup, const PsDefence& defence = {});
  void begin() override;
  StepOutcome step(std::int64_t iteration, const input::Batch& batch) override;
  Replica& replica() override { return *replica_; }
  FlatOptimizer* optimizer() override { return nullptr; }
  TrainingCheckpoint save() override;
  void restore(const TrainingCheckpoint& checkpoint) override;
  void finish() override;

 private:
  void push(std::size_t index, std::int64_t ready);
  void pull();
  void send_values(std::int64_t server);
  [[nodiscard]] ServerHead head(ServerCall call) const;
  [[nodiscard]] std::int64_t rank_of(std::int64_t server) const { return setup_.trial.workers + server; }
  [[nodiscard]] SpanNote note(std::size_t index, std::size_t number) const;
  // The bucket's values in one piece: where they lie, or gathered in room_.
  std::span<float> room_for(const ShardBucket& bucket, std::span<float> values);
  void gather(const ShardBucket& bucket, std::span<const float> values, std::span<float> to) const;
  void scatter(const ShardBucket& bucket, std::span<const float> from, std::span<float> values) const;

  StrategySetup setup_;
  std::unique_ptr<Replica> replica_;
  std::vector<ShardBucket> buckets_;
  PoisonedBatches poisoned_;
  std::vector<robust::WorkerMomentum> momenta_;  // by bucket; none without worker momentum
  std::vector<float> room_;
  std::vector<float> moments_;  // of a checkpoint, until the servers have them
  std::int64_t updates_ = 0;
  std::int64_t iteration_ = 0;
  TransferQueue queue_;  // its thread uses everything above
};

}  // namespace sextant::measure
