#include "ps_worker.h"

#include <algorithm>

#include "flat_hash.h"
#include "phase_clock.h"
#include "strategy_parts.h"

namespace sextant::measure {
namespace {

std::vector<std::size_t> needs(const std::vector<ShardBucket>& buckets) {
  std::vector<std::size_t> needs;
  for (const ShardBucket& bucket : buckets) needs.push_back(bucket.last_tensor);
  return needs;
}

}  // namespace

PsWorker::PsWorker(const StrategySetup& setup, const PsDefence& defence)
    : setup_(setup),
      replica_(setup.make_replica(setup.rank)),
      buckets_(
          make_shard_buckets(plan_shards(replica_->tensors(), setup.trial.servers), setup.trial.bucket_mb)),
      poisoned_(setup, defence),
      momenta_(defence.worker_momentum > 0 ? buckets_.size() : 0,
               robust::WorkerMomentum(defence.worker_momentum)),
      queue_(needs(buckets_), setup.trial.overlap,
             [this](std::size_t i, std::int64_t ready) { push(i, ready); }) {}

ServerHead PsWorker::head(ServerCall call) const {
  ServerHead head;
  head.call = call;
  head.iteration = iteration_;
  return head;
}

void PsWorker::begin() {
  const std::span<const float> parameters = replica_->parameters();
  for (std::int64_t server = 0; server < setup_.trial.servers; ++server) {
    std::vector<std::uint64_t> sizes;
    for (const ShardBucket& bucket : buckets_) {
      if (bucket.server == server) sizes.push_back(bucket.count);
    }
    ServerHead greeting = head(ServerCall::hello);
    greeting.index = static_cast<std::int64_t>(sizes.size());
    greeting.updates = updates_;
    greeting.checksum =
        flat_hash({reinterpret_cast<const char*>(parameters.data()), parameters.size_bytes()});
    setup_.transport->send(rank_of(server), kServerTag, bytes_of(greeting));
    setup_.transport->send(rank_of(server), kServerTag, std::as_bytes(std::span(sizes)));
    if (setup_.rank == 0) send_values(server);
  }
  bool same = true;
  for (std::int64_t server = 0; server < setup_.trial.servers; ++server) {
    HelloVerdict verdict = HelloVerdict::differs;
    setup_.transport->receive(rank_of(server), kServerTag, writable_bytes_of(verdict));
    same = same && verdict == HelloVerdict::welcome;
  }
  if (!same) throw SystemError("workers start from different parameters, says the parameter server");
  moments_ = {};
}

void PsWorker::send_values(std::int64_t server) {
  const std::span<float> parameters = replica_->parameters();
  const std::size_t arrays = moments_.size() / std::max<std::size_t>(parameters.size(), 1);
  for (const ShardBucket& bucket : buckets_) {
    if (bucket.server != server) continue;
    std::vector<float> values(bucket.count);
    gather(bucket, parameters, values);
    setup_.transport->send(rank_of(server), kServerTag, std::as_bytes(std::span(values)));
    if (updates_ == 0 || arrays == 0) continue;
    values.resize(bucket.count * arrays);
    for (std::size_t i = 0; i < arrays; ++i) {
      gather(bucket, std::span(moments_).subspan(i * parameters.size(), parameters.size()),
             std::span(values).subspan(i * bucket.count, bucket.count));
    }
    setup_.transport->send(rank_of(server), kServerTag, std::as_bytes(std::span(values)));
  }
}

StepOutcome PsWorker::step(std::int64_t iteration, const input::Batch& batch) {
  StepOutcome outcome;
  PhaseClock clock(setup_, iteration);
  iteration_ = iteration;
  outcome.loss = replica_->forward(poisoned_.next(iteration, batch));
  outcome.times.forward_s = clock.end("forward");
  replica_->backward([this](std::size_t tensor) { queue_.ready(tensor); });
  outcome.times.backward_s = clock.end("backward");
  const double pushed_s = queue_.finish();
  const double waited_s = clock.end(nullptr);
  pull();
  const double pulled_s = clock.end(nullptr);
  // Handing over between the threads is communication too.
  outcome.times.communication_s = std::max(pushed_s, waited_s) + pulled_s;
  outcome.times.exposed_communication_s = waited_s + pulled_s;
  outcome.times.total_s = clock.total();
  return outcome;
}

SpanNote PsWorker::note(std::size_t index, std::size_t number) const {
  return {.name = "communication",
          .start = monotonic_ns(),
          .end = 0,
          .iteration = iteration_,
          .bucket = static_cast<std::int64_t>(number),
          .bytes = static_cast<std::int64_t>(buckets_[index].count * sizeof(float)),
          .peer = rank_of(buckets_[index].server)};
}

void PsWorker::push(std::size_t index, std::int64_t ready) {
  const ShardBucket& bucket = buckets_[index];
  SpanNote span = note(index, index);
  span.thread = setup_.trial.overlap ? 1 : 0;
  span.ready = ready;
  ServerHead announcement = head(ServerCall::push);
  announcement.index = static_cast<std::int64_t>(bucket.index);
  if (setup_.spans != nullptr) {
    const std::string context = traceparent(setup_.spans->context(span));
    std::copy_n(context.begin(), std::min(context.size(), announcement.traceparent.size()),
                announcement.traceparent.begin());
  }
  const std::span<float> values = room_for(bucket, replica_->gradients());
  if (bucket.runs.size() > 1) gather(bucket, replica_->gradients(), values);
  if (!momenta_.empty()) momenta_[index].apply(values);
  setup_.transport->send(rank_of(bucket.server), kServerTag, bytes_of(announcement));
  setup_.transport->send(rank_of(bucket.server), kServerTag, std::as_bytes(values));
  setup_.beat();
  if (setup_.spans == nullptr) return;
  span.end = monotonic_ns();
  setup_.spans->add(span);
}

// Servers answer with their buckets in order. Pulls are numbered after the pushes.
void PsWorker::pull() {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const ShardBucket& bucket = buckets_[i];
    SpanNote span = note(i, buckets_.size() + i);
    const std::span<float> values = room_for(bucket, replica_->parameters());
    setup_.transport->receive(rank_of(bucket.server), kServerTag, std::as_writable_bytes(values));
    if (bucket.runs.size() > 1) scatter(bucket, values, replica_->parameters());
    setup_.beat();
    if (setup_.spans == nullptr) continue;
    span.end = monotonic_ns();
    setup_.spans->add(span);
  }
}

std::span<float> PsWorker::room_for(const ShardBucket& bucket, std::span<float> values) {
  if (bucket.runs.size() == 1) return values.subspan(bucket.runs[0].offset, bucket.count);
  room_.resize(std::max(room_.size(), bucket.count));
  return std::span(room_).first(bucket.count);
}

void PsWorker::gather(const ShardBucket& bucket, std::span<const float> values, std::span<float> to) const {
  for (const FlatRun& run : bucket.runs) {
    std::ranges::copy(values.subspan(run.offset, run.count), to.begin());
    to = to.subspan(run.count);
  }
}

void PsWorker::scatter(const ShardBucket& bucket, std::span<const float> from,
                       std::span<float> values) const {
  for (const FlatRun& run : bucket.runs) {
    std::ranges::copy(from.first(run.count), values.subspan(run.offset, run.count).begin());
    from = from.subspan(run.count);
  }
}

TrainingCheckpoint PsWorker::save() {
  const std::size_t count = replica_->parameters().size();
  const auto arrays = static_cast<std::size_t>(optimizer_state_values(setup_.trial.job.optimizer));
  const std::span<const float> statistics = replica_->statistics();
  TrainingCheckpoint checkpoint{.optimizer = setup_.trial.job.optimizer,
                                .parameters = std::vector<float>(count),
                                .statistics = {statistics.begin(), statistics.end()},
                                .moments = std::vector<float>(count * arrays)};
  for (std::int64_t server = 0; server < setup_.trial.servers; ++server) {
    setup_.transport->send(rank_of(server), kServerTag, bytes_of(head(ServerCall::state)));
  }
  for (std::int64_t server = 0; server < setup_.trial.servers; ++server) {
    std::int64_t updates = 0;
    setup_.transport->receive(rank_of(server), kServerTag, writable_bytes_of(updates));
    checkpoint.updates = std::max(checkpoint.updates, updates);
    for (const ShardBucket& bucket : buckets_) {
      if (bucket.server != server) continue;
      std::vector<float> values(bucket.count * (1 + arrays));
      setup_.transport->receive(rank_of(server), kServerTag, std::as_writable_bytes(std::span(values)));
      const std::span<const float> all(values);
      scatter(bucket, all.first(bucket.count), checkpoint.parameters);
      for (std::size_t i = 0; i < arrays; ++i) {
        scatter(bucket, all.subspan((i + 1) * bucket.count, bucket.count),
                std::span(checkpoint.moments).subspan(i * count, count));
      }
    }
  }
  return checkpoint;
}

void PsWorker::restore(const TrainingCheckpoint& checkpoint) {
  if (checkpoint.optimizer != setup_.trial.job.optimizer) {
    throw InputError("the checkpoint is of optimizer " + to_string(checkpoint.optimizer));
  }
  copy_checked(checkpoint.parameters, replica_->parameters(), "parameters");
  copy_checked(checkpoint.statistics, replica_->statistics(), "statistics");
  moments_ = checkpoint.moments;
  updates_ = checkpoint.updates;
}

void PsWorker::finish() {
  for (std::int64_t server = 0; server < setup_.trial.servers; ++server) {
    setup_.transport->send(rank_of(server), kServerTag, bytes_of(head(ServerCall::bye)));
  }
  setup_.transport->barrier();
}

}  // namespace sextant::measure
