// One round on the event kernel: the model goes out, clients train, updates come in, until enough have come,
// nobody is left to wait for, or the deadline is over.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "participation.h"
#include "sextant/events/run.h"
#include "sextant/federated/simulate_rounds.h"
#include "shared_resource.h"

namespace sextant::federated {

enum class RoundEvent { left, deadline };

struct RoundSetup {
  const RoundCosts& costs;
  const Participation& participation;
  const Participants& participants;
  double deadline_s = 0;
};

class RoundModel : public events::EventModel<RoundEvent> {
 public:
  explicit RoundModel(const RoundSetup& setup);

  events::FollowUps<RoundEvent>& begin();
  events::FollowUps<RoundEvent>& handle(const events::Event<RoundEvent>& event);
  events::FollowUps<RoundEvent>& settle(events::Nanos now);
  [[nodiscard]] events::Nanos next_time() const;
  [[nodiscard]] bool goes_on() const;

  [[nodiscard]] double end_s() const { return end_s_; }
  [[nodiscard]] const std::set<std::int64_t>& answered() const { return answered_; }
  [[nodiscard]] const std::set<std::int64_t>& left() const { return left_; }

 private:
  struct Host {
    std::vector<std::int64_t> to_train = {};  // the next one last
    std::vector<std::int64_t> to_send = {};   // the first one is on its way; two at most
    double bytes_per_s = 0;
    bool hands_over = false;  // the first part of an update is on its way: the host waits
  };

  [[nodiscard]] std::int64_t host_of_client(std::int64_t client) const;
  void train_next(std::int64_t host, double now);
  void trained(std::int64_t host, double now);
  void send_next(std::int64_t host, double now);
  void sent(std::int64_t host, double now);

  RoundSetup setup_;
  std::map<std::int64_t, Host> hosts_;
  SharedResource down_;
  SharedResource cores_;
  SharedResource up_;
  std::set<std::int64_t> answered_;
  std::set<std::int64_t> left_;
  std::vector<std::int64_t> leaving_;  // at this instant
  double end_s_ = 0;
  bool deadline_reached_ = false;
  bool over_ = false;
};

}  // namespace sextant::federated
