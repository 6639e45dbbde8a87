// What happens next: events ordered by time, then kind, then the order in which they were made. A heap with
// four children a node, whose 16-byte keys fill one cache line, and sentinels instead of bounds (LaMarca,
// Ladner 1996: The influence of caches on the performance of heaps).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sextant/events/event.h"

namespace sextant::events {

template <typename Kind>
class EventQueue {
 public:
  EventQueue() : lines_(16) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Endless where nothing is left.
  [[nodiscard]] const Event<Kind>& top() const { return lines_[kRoot / 4].events[kRoot % 4]; }

  void push(const Event<Kind>& event) {
    const std::size_t hole = kRoot + size_++;
    if (hole / 4 + 1 >= lines_.size()) lines_.resize(lines_.size() * 2);
    rise(hole, event);
  }

  // Takes them over: the list is empty then.
  void push(FollowUps<Kind>& next) {
    for (const Event<Kind>& event : next.list()) push(event);
    next.clear();
  }

  void pop() {
    const std::size_t last = kRoot + --size_;
    const Event<Kind> moved = at(last);
    at(last) = {};
    if (size_ == 0) return;
    // Down to a leaf without looking at `moved`, which most often belongs there, then up as far as needed.
    std::size_t hole = kRoot;
    for (std::size_t child = first_child(hole); child < last; child = first_child(hole)) {
      const Event<Kind>* children = lines_[child / 4].events;
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
      const Event<Kind> event = at(kRoot + i);
      at(kRoot + i) = {};
      if (!stale(event)) rise(kRoot + size_++, event);
    }
  }

 private:
  static constexpr std::size_t kRoot = 3;  // so that the four children of a node share a line
  struct alignas(64) Line {
    Event<Kind> events[4];
  };
  __extension__ using Wide = unsigned __int128;

  static std::size_t first_child(std::size_t node) { return 4 * (node - kRoot) + kRoot + 1; }
  static std::size_t parent(std::size_t node) { return (node - kRoot - 1) / 4 + kRoot; }
  // One comparison of 128 bits; times are never negative.
  static std::size_t before(const Event<Kind>& a, const Event<Kind>& b) {
    return ((static_cast<Wide>(a.time) << 64) | a.ticket) < ((static_cast<Wide>(b.time) << 64) | b.ticket);
  }

  [[nodiscard]] Event<Kind>& at(std::size_t i) { return lines_[i / 4].events[i % 4]; }

  void rise(std::size_t hole, const Event<Kind>& event) {
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
};

}  // namespace sextant::events
