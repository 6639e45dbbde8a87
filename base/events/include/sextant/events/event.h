// An event is a time, a kind and a number that says whom it is of. Kinds are an enum of the model's own with
// at most eight values, whose order is the order within an instant; within a kind, events come in the order
// in which they were made.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sextant/events/time.h"

namespace sextant::events {

inline constexpr std::int32_t kSubjects = 1 << 26;  // what can be told apart: jobs, nodes, customers

template <typename Kind>
struct Event {
  Nanos time = kEndless;
  std::uint64_t ticket = std::numeric_limits<std::uint64_t>::max();  // kind, sequence number, subject

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(ticket >> 61); }
  [[nodiscard]] std::int32_t subject() const { return static_cast<std::int32_t>(ticket & (kSubjects - 1)); }
};

[[noreturn]] void too_many_events();

// What handlers answer with: events that are to come. One list serves a whole run, since it also numbers
// them.
template <typename Kind>
class FollowUps {
 public:
  // Not before the present. The ticket tells this event from all others of the run and is never 0.
  std::uint64_t add(Nanos time, Kind kind, std::int32_t subject = 0) {
    if (sequence_ == kSequences) too_many_events();
    const std::uint64_t ticket =
        (static_cast<std::uint64_t>(kind) << 61) | (sequence_++ << 26) | static_cast<std::uint64_t>(subject);
    list_.push_back({.time = time, .ticket = ticket});
    return ticket;
  }

  [[nodiscard]] std::span<const Event<Kind>> list() const { return list_; }
  void clear() { list_.clear(); }

 private:
  static constexpr std::uint64_t kSequences = std::uint64_t{1} << 35;

  std::vector<Event<Kind>> list_;
  std::uint64_t sequence_ = 1;
};

}  // namespace sextant::events
