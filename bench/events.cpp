// Raw events: pop the next and push another, as a run does, with a number of them pending. The baseline is
// the standard library's priority queue on the same keys, and, where SimGrid is installed, its sleeping
// actors, which wake and sleep again.
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "ratio.h"
#include "sextant/core/rng.h"
#include "sextant/events/run.h"

#ifdef SEXTANT_SIMGRID
#include <simgrid/s4u.hpp>
#endif

namespace sextant::bench {
namespace {

constexpr int kEvents = 2'000'000;

// Gaps between an event and the one that it makes, the same for both queues.
std::vector<events::Nanos> gaps() {
  Rng rng = Rng(1).stream("gaps");
  std::vector<events::Nanos> result(1 << 16);
  for (events::Nanos& gap : result) gap = static_cast<events::Nanos>(1e9 * rng.exponential(1.0)) + 1;
  return result;
}

enum class Chime : std::uint8_t { ring };

// Every event makes the next one of its subject.
class Chimes : public events::EventModel<Chime> {
 public:
  Chimes(std::int64_t pending, const std::vector<events::Nanos>& gaps) : pending_(pending), gaps_(gaps) {}

  events::FollowUps<Chime>& begin() {
    for (std::int64_t i = 0; i < pending_; ++i) {
      follow_ups.add(gaps_[static_cast<std::size_t>(i)], Chime::ring, static_cast<std::int32_t>(i));
    }
    return follow_ups;
  }
  events::FollowUps<Chime>& handle(const events::Event<Chime>& event) {
    follow_ups.add(event.time + gaps_[handled_++ % gaps_.size()], Chime::ring, event.subject());
    return follow_ups;
  }
  [[nodiscard]] bool goes_on() const { return handled_ < kEvents; }

 private:
  std::int64_t pending_;
  const std::vector<events::Nanos>& gaps_;
  std::size_t handled_ = 0;
};

events::Nanos through_event_loop(std::int64_t pending, const std::vector<events::Nanos>& gaps) {
  Chimes chimes(pending, gaps);
  return events::run(chimes);
}

events::Nanos through_priority_queue(std::int64_t pending, const std::vector<events::Nanos>& gaps) {
  using Key = std::pair<events::Nanos, std::uint64_t>;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue;
  std::uint64_t sequence = 0;
  for (std::int64_t i = 0; i < pending; ++i) queue.emplace(gaps[static_cast<std::size_t>(i)], sequence++);
  events::Nanos now = 0;
  for (std::size_t i = 0; i < kEvents; ++i) {
    now = queue.top().first;
    queue.pop();
    queue.emplace(now + gaps[i % gaps.size()], sequence++);
  }
  return now;
}

void events_against_priority_queue(benchmark::State& state) {
  const std::vector<events::Nanos> list = gaps();
  const std::int64_t pending = state.range(0);
  report_ratio(
      state, [&] { return through_event_loop(pending, list); },
      [&] { return through_priority_queue(pending, list); });
  state.counters["events/s"] = kEvents / seconds_of([&] { return through_event_loop(pending, list); });
}
BENCHMARK(events_against_priority_queue)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

#ifdef SEXTANT_SIMGRID
constexpr int kActors = 1000;
constexpr int kSleeps = 200;  // of each actor

// A process can hold one engine of SimGrid, so this runs once.
double simgrid_sleeps(const std::vector<events::Nanos>& gaps) {
  namespace s4u = simgrid::s4u;
  int argc = 2;
  char program[] = "bench";
  char quiet[] = "--log=root.thresh:error";
  char* argv[] = {program, quiet, nullptr};
  s4u::Engine engine(&argc, argv);
  s4u::NetZone* zone = s4u::create_full_zone("zone");
  s4u::Host* host = zone->create_host("host", 1e9);
  zone->seal();
  for (int actor = 0; actor < kActors; ++actor) {
    s4u::Actor::create("actor", host, [&gaps, actor] {
      for (int i = 0; i < kSleeps; ++i) {
        const auto gap = gaps[static_cast<std::size_t>(actor * kSleeps + i) % gaps.size()];
        s4u::this_actor::sleep_for(static_cast<double>(gap) / 1e9);
      }
    });
  }
  engine.run();
  return s4u::Engine::get_clock();
}

void events_against_simgrid(benchmark::State& state) {
  const std::vector<events::Nanos> list = gaps();
  double sleeps = 0;
  double events = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const double theirs = seconds_of([&] { return simgrid_sleeps(list); });
    const double ours = seconds_of([&] { return through_event_loop(kActors, list); });
    state.SetIterationTime(ours);
    sleeps = kActors * kSleeps / theirs;
    events = kEvents / ours;
  }
  state.counters["events/s"] = events;
  state.counters["SimGrid sleeps/s"] = sleeps;
  state.counters["ratio"] = sleeps / events;
}
BENCHMARK(events_against_simgrid)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
#endif

}  // namespace
}  // namespace sextant::bench
