// What happens next in a run: events ordered by time, then class, then the order in which they were made. A
// heap with four children a node, whose 16-byte keys fill one cache line, and sentinels instead of bounds
// (LaMarca, Ladner 1996: The influence of caches on the performance of heaps).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace sextant {

using Nanos = std::int64_t;  // on the clock of a run, which begins at its first arrival
inline constexpr Nanos kEndless = std::numeric_limits<Nanos>::max();

// In this order within an instant. Arrivals come from a sorted array and timers from the policy, after these.
enum class EventClass : std::uint8_t { completion, failure, repair };

struct SimEvent {
  Nanos time = kEndless;
  std::uint64_t ticket = std::numeric_limits<std::uint64_t>::max();  // class, sequence, payload

  [[nodiscard]] EventClass what() const { return static_cast<EventClass>(ticket >> 61); }
  [[nodiscard]] std::int32_t payload() const { return static_cast<std::int32_t>(ticket & 0x3ffffff); }
};

class EventQueue {
 public:
  static constexpr std::int32_t kPayloads = 1 << 26;  // what can be told apart: active jobs, nodes

  EventQueue() : lines_(16) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Endless where nothing is left.
  [[nodiscard]] const SimEvent& top() const { return lines_[kRoot / 4].events[kRoot % 4]; }

  // The ticket tells this event from all others.
  std::uint64_t push(Nanos time, EventClass what, std::int32_t payload) {
    if (sequence_ == kSequences) throw std::length_error("more events than a run can have");
    const std::uint64_t ticket =
        (static_cast<std::uint64_t>(what) << 61) | (sequence_++ << 26) | static_cast<std::uint64_t>(payload);
    const std::size_t hole = kRoot + size_++;
    if (hole / 4 + 1 >= lines_.size()) lines_.resize(lines_.size() * 2);
    rise(hole, {.time = time, .ticket = ticket});
    return ticket;
  }

  void pop() {
    const std::size_t last = kRoot + --size_;
    const SimEvent moved = at(last);
    at(last) = SimEvent{};
    if (size_ == 0) return;
    // Down to a leaf without looking at `moved`, which most often belongs there, then up as far as needed.
    std::size_t hole = kRoot;
    for (std::size_t child = first_child(hole); child < last; child = first_child(hole)) {
      const SimEvent* children = lines_[child / 4].events;
      const std::size_t left = before(children[1], children[0]);
      const std::size_t right = 2 + before(children[3], children[2]);
      // By arithmetic: which of the two it is cannot be guessed, so a branch would cost more.
      const std::size_t least = left + (right - left) * before(children[right], children[left]);
      at(hole) = children[least];
      hole = child + least;
    }
    rise(hole, moved);
  }

  // Forgets what `stale` says of. What stays comes in heap order, so hardly anything moves.
  template <typename Stale>
  void remove_if(Stale stale) {
    const std::size_t count = size_;
    size_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const SimEvent event = at(kRoot + i);
      at(kRoot + i) = SimEvent{};
      if (!stale(event)) rise(kRoot + size_++, event);
    }
  }

 private:
  static constexpr std::size_t kRoot = 3;  // so that the four children of a node share a line
  static constexpr std::uint64_t kSequences = std::uint64_t{1} << 35;
  struct alignas(64) Line {
    SimEvent events[4];
  };
  __extension__ using Wide = unsigned __int128;

  static std::size_t first_child(std::size_t node) { return 4 * (node - kRoot) + kRoot + 1; }
  static std::size_t parent(std::size_t node) { return (node - kRoot - 1) / 4 + kRoot; }
  // One comparison of 128 bits; times are never negative.
  static std::size_t before(const SimEvent& a, const SimEvent& b) {
    return ((static_cast<Wide>(a.time) << 64) | a.ticket) < ((static_cast<Wide>(b.time) << 64) | b.ticket);
  }

  [[nodiscard]] SimEvent& at(std::size_t i) { return lines_[i / 4].events[i % 4]; }

  void rise(std::size_t hole, const SimEvent& event) {
    while (hole > kRoot) {
      const std::size_t up = parent(hole);
      if (before(event, at(up)) == 0) break;
      at(hole) = at(up);
      hole = up;
    }
    at(hole) = event;
  }

  std::vector<Line> lines_;  // events that are not used are endless
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 1;  // so that no ticket is 0
};

}  // namespace sextant
