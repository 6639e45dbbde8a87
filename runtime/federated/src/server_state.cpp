#include "server_state.h"

#include <algorithm>

#include "sextant/core/error.h"

namespace sextant::federated {
namespace {

// Arrays one behind the other, each with its length before it. A float holds whole numbers up to 2^24, so
// lengths are cut in two halves of 24 bits.
constexpr std::int64_t kHalf = 1 << 24;

class Packer {
 public:
  explicit Packer(std::vector<float>& to) : to_(to) {}
  void number(std::int64_t value) {
    const std::int64_t high = value / kHalf;
    to_.push_back(static_cast<float>(high));
    to_.push_back(static_cast<float>(value % kHalf));
  }
  void array(std::span<const float> values) {
    number(std::ssize(values));
    to_.insert(to_.end(), values.begin(), values.end());
  }

 private:
  std::vector<float>& to_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const float> from) : from_(from) {}
  std::int64_t number() {
    const float high = take(1)[0];
    const float low = take(1)[0];
    if (!(high >= 0 && high < kHalf && low >= 0 && low < kHalf)) refuse();
    return static_cast<std::int64_t>(high) * kHalf + static_cast<std::int64_t>(low);
  }
  std::vector<float> array() {
    const std::int64_t count = number();
    const auto values = take(static_cast<std::size_t>(count));
    return {values.begin(), values.end()};
  }
  void array(std::span<float> to) {
    const std::vector<float> values = array();
    if (values.size() != to.size()) refuse();
    std::ranges::copy(values, to.begin());
  }

 private:
  [[noreturn]] static void refuse() { throw InputError("the checkpoint is of another federation"); }
  std::span<const float> take(std::size_t count) {
    if (count > from_.size()) refuse();
    const auto values = from_.first(count);
    from_ = from_.subspan(count);
    return values;
  }
  std::span<const float> from_;
};

}  // namespace

measure::TrainingCheckpoint pack(const ServerState& state, std::int64_t round) {
  measure::TrainingCheckpoint checkpoint{.iteration = round, .updates = round, .parameters = state.model};
  Packer packer(checkpoint.statistics);
  packer.array(state.last_change);
  packer.array(state.strategy.state());
  const robust::RuleMemory memory = state.aggregator.memory();
  packer.number(std::ssize(memory.clients));
  for (const std::int64_t client : memory.clients) packer.number(client + 1);  // -1 is nobody
  packer.array(memory.values);
  packer.number(std::ssize(state.momenta));
  for (const auto& [client, momentum] : state.momenta) {
    packer.number(client);
    packer.array(momentum.state());
  }
  return checkpoint;
}

void unpack(const measure::TrainingCheckpoint& checkpoint, double worker_momentum, ServerState& state) {
  if (checkpoint.parameters.size() != state.model.size()) {
    throw InputError("the checkpoint is of a network with another number of weights");
  }
  state.model = checkpoint.parameters;
  Unpacker unpacker(checkpoint.statistics);
  state.last_change = unpacker.array();
  unpacker.array(state.strategy.state());
  robust::RuleMemory memory;
  for (std::int64_t left = unpacker.number(); left > 0; --left)
    memory.clients.push_back(unpacker.number() - 1);
  memory.values = unpacker.array();
  state.aggregator.remember(memory);
  for (std::int64_t left = unpacker.number(); left > 0; --left) {
    const std::int64_t client = unpacker.number();
    robust::WorkerMomentum momentum(worker_momentum);
    momentum.set_state(unpacker.array());
    state.momenta.insert_or_assign(client, std::move(momentum));
  }
}

}  // namespace sextant::federated
