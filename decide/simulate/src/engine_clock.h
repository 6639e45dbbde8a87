// The clock of a run begins at the first arrival. Policies and results speak of seconds on the clock of the
// arrivals.
#pragma once

#include "sextant/events/event.h"

namespace sextant::simulate {

using events::kEndless;
using events::later;
using events::Nanos;
using events::nanos_of;
using events::seconds_of;

// In this order within an instant. Arrivals come from a sorted array and timers from the policy, after these.
enum class EventClass : std::uint8_t { completion, failure, repair };
using SimEvent = events::Event<EventClass>;
using SimFollowUps = events::FollowUps<EventClass>;

struct RunClock {
  double begin_s = 0;

  [[nodiscard]] double at(Nanos time) const { return begin_s + seconds_of(time); }
  [[nodiscard]] Nanos when(double time_s) const { return nanos_of(time_s - begin_s); }
  // The first nanosecond that is not before.
  [[nodiscard]] Nanos not_before(double time_s) const {
    const Nanos time = when(time_s);
    return time != kEndless && at(time) < time_s ? time + 1 : time;
  }
};

}  // namespace sextant::simulate
