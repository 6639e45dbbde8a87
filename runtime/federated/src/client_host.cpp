#include "sextant/federated/client_host.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "messages.h"
#include "sextant/core/error.h"
#include "sextant/measure/clock.h"
#include "sextant/robust/attack.h"

namespace sextant::federated {
namespace {

class ClientHost {
 public:
  explicit ClientHost(const HostSetup& setup)
      : setup_(setup), server_(setup.federation.hosts), tag_(tag_of(setup.rank)) {
    const std::vector<bool> attacks = drawn_attackers(setup.federation);
    for (const std::int64_t client : clients_of_host(setup.federation, setup.rank)) {
      const auto index = static_cast<std::size_t>(client);
      samples_[client] = read_samples(*setup.data.train, setup.data.shares[index]);
      if (attacks[index]) poison(client);
      setup.beat();
    }
    values_.resize(setup.model.parameters().size() + setup.model.statistics().size());
  }

  void run() {
    say_hello();
    while (true) {
      TaskHead task;
      take(received(task));
      if (task.magic != kFederatedMagic) throw SystemError("what came from the server is no task");
      if (task.last != 0) return;
      work(task);
      setup_.finished(task.round);
    }
  }

 private:
  void say_hello() {
    give(sent(HostHello{.clients = static_cast<std::int64_t>(samples_.size()),
                        .values = static_cast<std::int64_t>(values_.size()),
                        .checksum = share_checksum(setup_.data.shares)}));
    std::vector<std::uint64_t> secrets(samples_.size());
    take(std::as_writable_bytes(std::span(secrets)));
    std::size_t next = 0;
    for (const auto& [client, samples] : samples_) secrets_[client] = secrets[next++];
  }

  void poison(std::int64_t client) {
    const std::optional<robust::AttackChoice> choice = attack_of(setup_.federation);
    if (!choice || !choice->attack->poisons) return;
    const auto attack = robust::make_attack(*choice, setup_.federation.seed);
    Samples& samples = samples_[client];
    const input::SampleShape shape = setup_.data.train->shape();
    Rng rng = Rng(setup_.federation.seed).stream("poison", static_cast<std::uint64_t>(client));
    attack->poison({.values = samples.values,
                    .labels = samples.labels,
                    .channels = shape.channels,
                    .height = shape.height,
                    .width = shape.width,
                    .classes = setup_.data.classes},
                   rng);
  }

  void work(const TaskHead& task) {
    if (task.clients == 0) return give(sent(UpdateHead{.last = 1}));
    std::vector<std::int64_t> clients(static_cast<std::size_t>(task.clients));
    take(std::as_writable_bytes(std::span(clients)));
    take(std::as_writable_bytes(std::span(values_)));
    for (std::size_t slot = 0; slot < clients.size(); ++slot) {
      train(task, clients[slot], static_cast<std::int64_t>(slot));
      setup_.beat();
    }
    give(sent(UpdateHead{.last = 1}));
  }

  void train(const TaskHead& task, std::int64_t client, std::int64_t slot) {
    const auto found = samples_.find(client);
    if (found == samples_.end())
      throw SystemError("client " + std::to_string(client) + " does not live here");
    const std::int64_t start = measure::monotonic_ns();
    const std::span<float> parameters = setup_.model.parameters();
    const std::span<float> statistics = setup_.model.statistics();
    const std::span<const float> global(values_);
    std::ranges::copy(global.first(parameters.size()), parameters.begin());
    std::ranges::copy(global.subspan(parameters.size()), statistics.begin());
    LocalWork work = local_work(setup_.federation, client, task.round, found->second.count());
    work.proximal = task.proximal;
    UpdateHead head{.slot = slot,
                    .client = client,
                    .secret = secrets_[client],
                    .round = task.round,
                    .values = static_cast<std::int64_t>(values_.size()),
                    .samples = found->second.count(),
                    .steps = work.steps};
    head.loss = setup_.model.train(found->second, work);
    std::vector<float> update(values_.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) update[i] = parameters[i] - global[i];
    for (std::size_t i = 0; i < statistics.size(); ++i) {
      update[parameters.size() + i] = statistics[i] - global[parameters.size() + i];
    }
    const std::int64_t end = measure::monotonic_ns();
    head.seconds = static_cast<double>(end - start) * 1e-9;
    if (setup_.spans != nullptr) {
      setup_.spans->add(
          {.name = "train", .start = start, .end = end, .iteration = task.round, .bucket = client});
    }
    if (broken_announces(head, update)) announce(head, update);
  }

  // Sends what the server wants to have.
  void announce(const UpdateHead& head, std::span<const float> update) {
    give(sent(head));
    Wanted wanted = Wanted::no;
    take(received(wanted));
    if (wanted == Wanted::yes) give(std::as_bytes(update));
  }

  // What a client that is broken makes of its update; false: it sends nothing.
  bool broken_announces(UpdateHead& head, std::vector<float>& update) const {
    for (const BrokenClient& broken : setup_.federation.broken) {
      if (broken.client != head.client || head.round < broken.from_round) continue;
      constexpr std::int64_t kTenGigabytes = 10'000'000'000;
      switch (broken.how) {
        case Breakage::silent:
          return false;
        case Breakage::nan:
          std::ranges::fill(update, std::numeric_limits<float>::quiet_NaN());
          break;
        case Breakage::wrong_shape:
          update.resize(update.size() / 2 + 1);
          head.values = static_cast<std::int64_t>(update.size());
          break;
        case Breakage::too_large:
          head.values = kTenGigabytes / static_cast<std::int64_t>(sizeof(float));
          break;
        case Breakage::foreign_id:
          head.client = (head.client + 1) % setup_.federation.clients;
          break;
        case Breakage::wrong_steps:
          head.steps *= 1000;
          break;
      }
    }
    return true;
  }

  void give(std::span<const std::byte> bytes) { setup_.transport.send(server_, tag_, bytes); }
  void take(std::span<std::byte> bytes) { setup_.transport.receive(server_, tag_, bytes); }

  const HostSetup& setup_;
  std::int64_t server_;
  std::uint32_t tag_;
  std::map<std::int64_t, Samples> samples_;
  std::map<std::int64_t, std::uint64_t> secrets_;
  std::vector<float> values_;  // the server's model
};

}  // namespace

LocalWork local_work(const Federation& federation, std::int64_t client, std::int64_t round,
                     std::int64_t samples) {
  return {.steps = federation.local_steps > 0
                       ? federation.local_steps
                       : local_steps(samples, federation.sizes.batch, federation.epochs),
          .batch = federation.sizes.batch,
          .learning_rate = federation.learning_rate,
          .momentum = federation.momentum,
          .order = Rng(federation.seed)
                       .stream("client", static_cast<std::uint64_t>(client))
                       .stream("round", static_cast<std::uint64_t>(round))};
}

void run_host(const HostSetup& setup) {
  ClientHost(setup).run();
}

}  // namespace sextant::federated
