// The loop of every simulation: take what happens next, let the model handle it, take what follows. Nothing
// here knows what is simulated; a model is a type, so that the compiler sees through every call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sextant/events/event_queue.h"

namespace sextant::events {

// A model derives from this, defines begin() and handle(), and hides what it wants otherwise:
//   FollowUps<Kind>& begin();                            the first events
//   FollowUps<Kind>& handle(const Event<Kind>& event);   one event, at event.time
// Both answer with follow_ups, to which they added what follows.
template <typename Kind>
class EventModel {
 public:
  using EventKind = Kind;

  // Time of what comes from elsewhere than events, such as arrivals from a sorted list; settle() deals with
  // it.
  [[nodiscard]] Nanos next_time() const { return kEndless; }
  // After all events of an instant, once.
  FollowUps<Kind>& settle(Nanos now) {
    static_cast<void>(now);
    return follow_ups;
  }
  // An event that does not count any more is dropped and never handled.
  [[nodiscard]] bool stale(const Event<Kind>& event) const {
    static_cast<void>(event);
    return false;
  }
  // At most so many pending events are not stale. Far more than that in the queue, and the stale ones are
  // removed.
  [[nodiscard]] std::size_t live() const { return std::numeric_limits<std::size_t>::max() / 4; }
  // False: the run ends, whatever is pending.
  [[nodiscard]] bool goes_on() const { return true; }

 protected:
  FollowUps<Kind> follow_ups;
};

// Until nothing is left, the model ends it, or something would happen after `until`. The time of the end:
// that of the last instant, or `until`.
template <typename Model>
Nanos run(Model& model, Nanos until = kEndless) {
  using Kind = typename Model::EventKind;
  constexpr std::size_t kSlack = 1024;  // stale events that are not worth removing
  const auto stale = [&model](const Event<Kind>& event) { return model.stale(event); };
  EventQueue<Kind> queue;
  Nanos now = 0;
  queue.push(model.begin());
  while (model.goes_on()) {
    while (!queue.empty() && stale(queue.top())) queue.pop();
    const Nanos next = std::min(queue.top().time, model.next_time());
    if (next == kEndless) return now;
    if (next > until) return until;
    now = next;
    while (queue.top().time == now) {
      const Event<Kind> event = queue.top();
      queue.pop();
      if (!stale(event)) queue.push(model.handle(event));
    }
    queue.push(model.settle(now));
    if (queue.size() > 2 * model.live() + kSlack) queue.remove_if(stale);
  }
  return now;
}

}  // namespace sextant::events
