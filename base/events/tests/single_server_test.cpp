// A model that has nothing to do with clusters: customers who queue for one server (M/M/1).
#include <gtest/gtest.h>

#include <deque>

#include "sextant/core/rng.h"
#include "sextant/events/run.h"

namespace sextant::events {
namespace {

enum class ServerEvent { departure, arrival };

class SingleServer : public EventModel<ServerEvent> {
 public:
  SingleServer(double mean_gap_s, double mean_service_s)
      : mean_gap_s_(mean_gap_s), mean_service_s_(mean_service_s) {}

  FollowUps<ServerEvent>& begin() {
    arrive_after(0);
    return follow_ups;
  }

  FollowUps<ServerEvent>& handle(const Event<ServerEvent>& event) {
    if (event.kind() == ServerEvent::arrival) {
      arrived_.push_back(event.time);
      arrive_after(event.time);
      if (arrived_.size() == 1) serve(event.time);
    } else {
      arrived_.pop_front();
      if (!arrived_.empty()) serve(event.time);
    }
    return follow_ups;
  }

  [[nodiscard]] double mean_wait_s() const { return waited_s_ / served_; }
  [[nodiscard]] double served() const { return served_; }

 private:
  void arrive_after(Nanos now) {
    follow_ups.add(later(now, nanos_of(gaps_.exponential(mean_gap_s_))), ServerEvent::arrival);
  }
  void serve(Nanos now) {
    waited_s_ += seconds_of(now - arrived_.front());
    ++served_;
    follow_ups.add(later(now, nanos_of(services_.exponential(mean_service_s_))), ServerEvent::departure);
  }

  double mean_gap_s_;
  double mean_service_s_;
  Rng gaps_ = Rng(1).stream("gaps");
  Rng services_ = Rng(1).stream("services");
  std::deque<Nanos> arrived_;  // the first is served
  double waited_s_ = 0;
  double served_ = 0;
};

// Mean wait before service: load / (rate of service - rate of arrivals).
TEST(SingleServer, WaitsAsTheFormulaSays) {
  for (const double load : {0.3, 0.5, 0.7}) {
    SingleServer server(1, load);
    const Nanos end = run(server, nanos_of(400'000));
    const double expected = load / (1 / load - 1);
    EXPECT_NEAR(server.mean_wait_s(), expected, 0.03 * expected) << load;
    EXPECT_NEAR(server.served() / seconds_of(end), 1, 0.01) << load;
  }
}

TEST(SingleServer, SameRunTwice) {
  SingleServer first(1, 0.9);
  SingleServer second(1, 0.9);
  run(first, nanos_of(10'000));
  run(second, nanos_of(10'000));
  EXPECT_EQ(first.mean_wait_s(), second.mean_wait_s());
  EXPECT_EQ(first.served(), second.served());
}

}  // namespace
}  // namespace sextant::events
