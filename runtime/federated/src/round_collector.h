// The server's side of a round's talk: tasks go out to the hosts, updates come in, a thread for each host.
// What cannot be an update of that client is refused before it is sent, and the client named.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "sextant/federated/federation.h"
#include "sextant/federated/round.h"
#include "sextant/federated/strategy.h"
#include "sextant/measure/transport.h"

namespace sextant::federated {

struct CollectorSetup {
  const Federation& federation;
  std::vector<std::int64_t> samples;  // of each client
  std::uint64_t checksum = 0;         // of who has which
  std::size_t values = 0;             // of the model
  measure::Transport& transport;
  std::function<void()> beat = [] {};
};

struct CollectedUpdate {
  UpdateNote note;
  std::vector<float> values;
};

struct CollectedRound {
  std::map<std::int64_t, CollectedUpdate> updates;  // by client
  std::vector<Exclusion> excluded;                  // by client
  double received_bytes = 0;
  bool diverged = false;  // nobody's values were numbers: nobody is excluded for it
};

struct RoundTask {
  std::int64_t round = 1;
  std::vector<std::int64_t> clients;  // rising
  double proximal = 0;
};

class RoundCollector {
 public:
  explicit RoundCollector(const CollectorSetup& setup) : setup_(setup) {}
  // The hosts' first words; SystemError where one does not go together with this process.
  void greet();
  CollectedRound collect(const RoundTask& task, std::span<const float> model);
  void say_goodbye();

 private:
  void greet(std::int64_t host);
  void find_divergence(const RoundTask& task);
  void talk(std::int64_t host, const RoundTask& task, std::span<const float> model);
  void take_update(std::int64_t host, const struct UpdateHead& head, std::int64_t client);
  void on_all_hosts(const std::function<void(std::int64_t host)>& work) const;

  CollectorSetup setup_;
  std::map<std::int64_t, std::uint64_t> secrets_;
  std::mutex mutex_;
  CollectedRound round_;
};

}  // namespace sextant::federated
