#include "ps_server.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "flat_hash.h"
#include "phase_clock.h"
#include "strategy_parts.h"

namespace sextant::measure {
namespace {

constexpr std::int64_t kGone = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostBuckets = 1 << 24;

std::span<std::byte> writable(std::vector<float>& values) {
  return std::as_writable_bytes(std::span(values));
}

}  // namespace

void PsServer::serve() {
  const std::int64_t workers = setup_.trial.workers;
  clocks_.assign(static_cast<std::size_t>(workers), 0);
  std::vector<std::jthread> threads;
  for (std::int64_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([this, worker] {
      try {
        serve_worker(worker);
      } catch (...) {
        fail(std::current_exception());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
}

void PsServer::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

void PsServer::check_failed() const {
  if (error_) throw SystemError("another worker of this server is lost");
}

void PsServer::serve_worker(std::int64_t worker) {
  std::vector<float> room;
  while (true) {
    ServerHead head;
    setup_.transport->receive(worker, kServerTag, writable_bytes_of(head));
    setup_.beat();
    if (head.magic != kServerMagic) throw SystemError("a message that is not for a parameter server");
    switch (head.call) {
      case ServerCall::hello:
        hello(worker, head);
        break;
      case ServerCall::push:
        push(worker, head, room);
        break;
      case ServerCall::state:
        send_state();
        break;
      case ServerCall::bye: {
        const std::lock_guard lock(mutex_);
        clocks_[static_cast<std::size_t>(worker)] = kGone;
        changed_.notify_all();
        return;
      }
      default:
        throw SystemError("a message of an unknown kind");
    }
  }
}

// Rank 0 says what there is; the others say a checksum of the same.
void PsServer::hello(std::int64_t worker, const ServerHead& head) {
  if (head.index < 0 || head.index > kMostBuckets) throw SystemError("a worker with nonsense for a greeting");
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(head.index));
  setup_.transport->receive(worker, kServerTag, std::as_writable_bytes(std::span(sizes)));
  if (worker == 0) {
    std::size_t values = 0;
    for (const std::uint64_t size : sizes) {
      auto bucket = std::make_unique<ServerBucket>();
      bucket->offset = values;
      values += size;
      bucket->parameters.resize(size);
      bucket->optimizer = std::make_unique<FlatOptimizer>(optimizer_settings(setup_.trial), size);
      buckets_.push_back(std::move(bucket));
    }
    if (mode_.synchronous) {
      rows_.assign(static_cast<std::size_t>(setup_.trial.workers), std::vector<float>(values));
      if (mode_.defence.gathers()) round_ = std::make_unique<PsRound>(setup_, mode_.defence);
    }
    receive_values(worker, head);
  }
  agree(head.checksum ^ flat_hash({reinterpret_cast<const char*>(sizes.data()), sizes.size() * 8}));
  const bool same = std::ranges::adjacent_find(checksums_, std::not_equal_to{}) == checksums_.end();
  const HelloVerdict verdict = same ? HelloVerdict::welcome : HelloVerdict::differs;
  setup_.transport->send(worker, kServerTag, bytes_of(verdict));
}

void PsServer::receive_values(std::int64_t worker, const ServerHead& head) {
  for (auto& bucket : buckets_) {
    setup_.transport->receive(worker, kServerTag, writable(bucket->parameters));
    bucket->optimizer->set_updates(head.updates);
    if (head.updates == 0 || bucket->optimizer->state().empty()) continue;
    setup_.transport->receive(worker, kServerTag, std::as_writable_bytes(bucket->optimizer->state()));
  }
}

// Waits until all workers have greeted. From then on the buckets' number does not change.
void PsServer::agree(std::uint64_t checksum) {
  std::unique_lock lock(mutex_);
  checksums_.push_back(checksum);
  changed_.notify_all();
  changed_.wait(lock, [this] { return error_ || checksums_.size() == clocks_.size(); });
  check_failed();
}

void PsServer::push(std::int64_t worker, const ServerHead& head, std::vector<float>& room) {
  if (head.index < 0 || head.index >= static_cast<std::int64_t>(buckets_.size())) {
    throw SystemError("a push of a bucket that does not exist");
  }
  ServerBucket& bucket = *buckets_[static_cast<std::size_t>(head.index)];
  std::int64_t start = 0;
  if (mode_.synchronous) {
    const std::span<float> values = pushed(static_cast<std::size_t>(worker), bucket);
    setup_.transport->receive(worker, kServerTag, std::as_writable_bytes(values));
    start = monotonic_ns();
    pushed_by_one(bucket, head.iteration);
  } else {
    room.resize(bucket.parameters.size());
    setup_.transport->receive(worker, kServerTag, writable(room));
    start = monotonic_ns();
    const std::lock_guard lock(bucket.mutex);
    bucket.optimizer->step(bucket.parameters, room);
  }
  note(head, worker, start);
  if (head.index + 1 == static_cast<std::int64_t>(buckets_.size())) {
    wait_for_turn(worker);
    answer(worker, room);
  }
}

std::span<float> PsServer::pushed(std::size_t worker, const ServerBucket& bucket) {
  return std::span(rows_[worker]).subspan(bucket.offset, bucket.parameters.size());
}

// Whoever comes last does the work.
void PsServer::pushed_by_one(ServerBucket& bucket, std::int64_t iteration) {
  {
    const std::lock_guard lock(bucket.mutex);
    if (++bucket.arrived < setup_.trial.workers) return;
    bucket.arrived = 0;
    if (round_ == nullptr) apply_mean(bucket);
  }
  const std::lock_guard lock(mutex_);
  if (round_ == nullptr) {
    ++bucket.finished;
  } else {
    if (++complete_ < buckets_.size()) return;
    complete_ = 0;
    apply_rule(iteration);
  }
  changed_.notify_all();
}

// In the order of ranks, so that the sum does not depend on who comes last.
void PsServer::apply_mean(ServerBucket& bucket) {
  float* __restrict sum = pushed(0, bucket).data();
  for (std::size_t w = 1; w < rows_.size(); ++w) {
    const float* __restrict values = pushed(w, bucket).data();
    for (std::size_t i = 0; i < bucket.parameters.size(); ++i) sum[i] += values[i];
  }
  bucket.optimizer->step(bucket.parameters, pushed(0, bucket), 1 / static_cast<float>(rows_.size()));
}

void PsServer::apply_rule(std::int64_t iteration) {
  const std::span<const float> gradient = round_->aggregate(rows_, iteration);
  for (auto& bucket : buckets_) {
    const std::lock_guard lock(bucket->mutex);
    bucket->optimizer->step(bucket->parameters, gradient.subspan(bucket->offset, bucket->parameters.size()));
    ++bucket->finished;
  }
}

void PsServer::wait_for_turn(std::int64_t worker) {
  std::unique_lock lock(mutex_);
  std::int64_t& clock = clocks_[static_cast<std::size_t>(worker)];
  ++clock;
  changed_.notify_all();
  const auto turn = [&] {
    if (error_) return true;
    if (mode_.synchronous) {
      return std::ranges::all_of(buckets_, [&](const auto& bucket) { return bucket->finished >= clock; });
    }
    return static_cast<double>(clock - *std::ranges::min_element(clocks_)) <= mode_.bound;
  };
  changed_.wait(lock, turn);
  check_failed();
}

// Nobody changes a synchronous bucket before this worker has pushed again; others are copied under their
// lock.
void PsServer::answer(std::int64_t worker, std::vector<float>& room) {
  for (auto& bucket : buckets_) {
    if (mode_.synchronous) {
      setup_.transport->send(worker, kServerTag, std::as_bytes(std::span(bucket->parameters)));
      continue;
    }
    {
      const std::lock_guard lock(bucket->mutex);
      room = bucket->parameters;
    }
    setup_.transport->send(worker, kServerTag, std::as_bytes(std::span(room)));
  }
}

// To rank 0, which writes the checkpoint. All buckets are copied under all locks: one moment for the set.
void PsServer::send_state() {
  std::vector<std::vector<float>> copies;
  std::int64_t updates = 0;
  {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (auto& bucket : buckets_) locks.emplace_back(bucket->mutex);
    for (auto& bucket : buckets_) {
      copies.push_back(bucket->parameters);
      const auto moments = bucket->optimizer->state();
      copies.back().insert(copies.back().end(), moments.begin(), moments.end());
      updates = std::max(updates, bucket->optimizer->updates());
    }
  }
  setup_.transport->send(0, kServerTag, bytes_of(updates));
  for (const auto& copy : copies) setup_.transport->send(0, kServerTag, std::as_bytes(std::span(copy)));
}

void PsServer::note(const ServerHead& head, std::int64_t worker, std::int64_t start) const {
  if (setup_.spans == nullptr) return;
  const std::string_view context(head.traceparent.data(),
                                 strnlen(head.traceparent.data(), head.traceparent.size()));
  setup_.spans->add({.name = "update",
                     .start = start,
                     .end = monotonic_ns(),
                     .iteration = head.iteration,
                     .bucket = head.index,
                     .thread = worker,
                     .peer = worker,
                     .parent = context.empty() ? 0 : spans::parse_traceparent(context).span});
}

}  // namespace sextant::measure
