// Slots: from one arrival or end to the next. When one begins, the plan says when the next end is due, and so
// what the nodes that are on will cost until then; when it ends, the daemon's accounts say what they did
// cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http_client.h"

namespace sextant::test {

struct Slot {
  double begin_s = 0;  // since the beginning of the stream
  std::string nodes;   // "n0 large, n1 small"
  std::string jobs;
  double predicted_s = 0;
  double real_s = 0;
  double predicted_usd = 0;
  double real_usd = 0;
};

class SlotWatch {
 public:
  explicit SlotWatch(double begin_unix_s) : begin_unix_s_(begin_unix_s) {}

  // Looks at the plan. `arrived`: submissions so far; `next_arrival_s`: of the next one, which is known.
  // Returns how many jobs have ended.
  int look(HttpClient& client, int arrived, std::optional<double> next_arrival_s);
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] double spent_usd() const { return spent_usd_; }
  [[nodiscard]] bool idle() const { return idle_; }  // no node is on

 private:
  double begin_unix_s_;
  int events_ = -1;       // arrivals and ends that the slot in hand began after
  double changed_s_ = 0;  // when the last one was seen
  int seen_ = -1;         // arrivals and ends
  std::optional<Slot> now_ = {};
  double spent_at_begin_ = 0;
  double spent_usd_ = 0;
  bool idle_ = true;
  std::vector<Slot> slots_;
};

}  // namespace sextant::test
