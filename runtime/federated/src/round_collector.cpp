#include "round_collector.h"

#include <sys/random.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

#include "messages.h"
#include "sextant/core/error.h"
#include "sextant/federated/client_host.h"
#include "sextant/federated/federated_data.h"

namespace sextant::federated {
namespace {

// Not drawn from the seed, which clients may know.
std::uint64_t new_secret() {
  std::uint64_t secret = 0;
  if (::getrandom(&secret, sizeof secret, 0) != sizeof secret)
    throw SystemError("the kernel gives no random number");
  return secret;
}

constexpr const char* kNoNumbers = "sent values that are no numbers";

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

void RoundCollector::on_all_hosts(const std::function<void(std::int64_t host)>& work) const {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(setup_.federation.hosts));
  {
    std::vector<std::jthread> threads;
    for (std::int64_t host = 0; host < setup_.federation.hosts; ++host) {
      threads.emplace_back([&, host] {
        try {
          work(host);
        } catch (...) {
          errors[static_cast<std::size_t>(host)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void RoundCollector::greet() {
  for (std::int64_t client = 0; client < setup_.federation.clients; ++client) secrets_[client] = new_secret();
  on_all_hosts([this](std::int64_t host) { greet(host); });
}

void RoundCollector::greet(std::int64_t host) {
  HostHello hello;
  setup_.transport.receive(host, tag_of(host), received(hello));
  const std::vector<std::int64_t> clients = clients_of_host(setup_.federation, host);
  const bool fits = hello.magic == kFederatedMagic && hello.clients == std::ssize(clients) &&
                    hello.values == static_cast<std::int64_t>(setup_.values) &&
                    hello.checksum == setup_.checksum;
  if (!fits) throw SystemError("rank " + std::to_string(host) + " has another federation than the server");
  std::vector<std::uint64_t> secrets;
  for (const std::int64_t client : clients) secrets.push_back(secrets_.at(client));
  setup_.transport.send(host, tag_of(host), std::as_bytes(std::span(secrets)));
}

CollectedRound RoundCollector::collect(const RoundTask& task, std::span<const float> model) {
  round_ = {};
  on_all_hosts([&](std::int64_t host) { talk(host, task, model); });
  for (const std::int64_t client : task.clients) {
    const bool named =
        std::ranges::find(round_.excluded, client, &Exclusion::client) != round_.excluded.end();
    if (!named && !round_.updates.contains(client)) round_.excluded.push_back({client, "sent nothing"});
  }
  std::ranges::sort(round_.excluded, {}, &Exclusion::client);
  find_divergence(task);
  return std::move(round_);
}

// Where nobody has numbers left, the model that all were given is at fault. One client alone may be broken.
void RoundCollector::find_divergence(const RoundTask& task) {
  const auto without = std::ranges::count(round_.excluded, kNoNumbers, &Exclusion::reason);
  const std::int64_t least = std::min<std::int64_t>(setup_.federation.clients, 2);
  round_.diverged = without == std::ssize(task.clients) && without >= least;
  if (round_.diverged) round_.excluded.clear();
}

void RoundCollector::talk(std::int64_t host, const RoundTask& task, std::span<const float> model) {
  std::vector<std::int64_t> clients;
  for (const std::int64_t client : task.clients) {
    if (host_of(setup_.federation, client) == host) clients.push_back(client);
  }
  const std::uint32_t tag = tag_of(host);
  setup_.transport.send(
      host, tag,
      sent(TaskHead{.round = task.round, .clients = std::ssize(clients), .proximal = task.proximal}));
  if (!clients.empty()) {
    setup_.transport.send(host, tag, std::as_bytes(std::span(clients)));
    setup_.transport.send(host, tag, std::as_bytes(model));
  }
  while (true) {
    UpdateHead head;
    setup_.transport.receive(host, tag, received(head));
    setup_.beat();
    if (head.magic != kFederatedMagic)
      throw SystemError("what rank " + std::to_string(host) + " sent is no update");
    if (head.last != 0) return;
    if (head.slot < 0 || head.slot >= std::ssize(clients)) {
      throw SystemError("rank " + std::to_string(host) + " spoke for a client without a task");
    }
    head.round = head.round == task.round ? task.round : -1;
    take_update(host, head, clients[static_cast<std::size_t>(head.slot)]);
  }
}

void RoundCollector::take_update(std::int64_t host, const UpdateHead& head, std::int64_t client) {
  const auto want = [&](Wanted wanted) { setup_.transport.send(host, tag_of(host), sent(wanted)); };
  const auto exclude = [&](const std::string& reason) {
    const std::lock_guard lock(mutex_);
    round_.updates.erase(client);
    const auto named = std::ranges::find(round_.excluded, client, &Exclusion::client);
    if (named == round_.excluded.end()) round_.excluded.push_back({client, reason});
  };
  const std::int64_t samples = setup_.samples.at(static_cast<std::size_t>(client));
  // Strategies scale by steps, so they are not the client's to choose; they are the same in every round.
  const std::int64_t steps = local_work(setup_.federation, client, 1, samples).steps;
  std::string fault;
  if (head.client != client) {
    fault = "claimed to be client " + std::to_string(head.client);
  } else if (head.secret != secrets_.at(client)) {
    fault = "did not know its secret";
  } else if (head.round < 0) {
    fault = "answered another round";
  } else if (head.values != static_cast<std::int64_t>(setup_.values)) {
    fault = "offered " + std::to_string(head.values) + " values, and the model has " +
            std::to_string(setup_.values);
  } else if (head.samples != samples || head.steps != steps) {
    fault = "claimed samples or steps that it does not have";
  }
  if (!fault.empty()) {
    want(Wanted::no);
    exclude(fault);
    return;
  }
  want(Wanted::yes);
  CollectedUpdate update{
      .note = {.client = client,
               .samples = samples,
               .steps = steps,
               .loss = head.loss,
               .seconds = std::isfinite(head.seconds) && head.seconds >= 0 ? head.seconds : 0},
      .values = std::vector<float>(setup_.values)};
  setup_.transport.receive(host, tag_of(host), std::as_writable_bytes(std::span(update.values)));
  if (!all_finite(update.values)) return exclude(kNoNumbers);
  const std::lock_guard lock(mutex_);
  round_.received_bytes += static_cast<double>(sizeof(UpdateHead) + update.values.size() * sizeof(float));
  const bool twice = !round_.updates.emplace(client, std::move(update)).second;
  const bool named = std::ranges::find(round_.excluded, client, &Exclusion::client) != round_.excluded.end();
  if (!twice && !named) return;
  round_.updates.erase(client);
  if (!named) round_.excluded.push_back({client, "sent more than one update"});
}

void RoundCollector::say_goodbye() {
  on_all_hosts(
      [this](std::int64_t host) { setup_.transport.send(host, tag_of(host), sent(TaskHead{.last = 1})); });
}

}  // namespace sextant::federated
