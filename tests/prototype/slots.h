// Slots: from one arrival or end to the next. When the decision that one brings is carried out, the plan says
// when the next end is due, and so what the nodes that are on will cost from the beginning of the slot until
// then; when it ends, the daemon's accounts say what they did cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http_client.h"

namespace sextant::test {

struct Slot {
  double begin_s = 0;  // since the beginning of the stream
  double spent_before_usd = 0;
  std::string nodes;  // "n0 large, n1 small"
  std::string jobs;
  double predicted_s = 0;
  double real_s = 0;
  double predicted_usd = 0;
  double real_usd = 0;
};

class SlotWatch {
 public:
  // `ended_before`: jobs that the daemon knows and that are no part of the stream.
  SlotWatch(double begin_unix_s, int ended_before)
      : begin_unix_s_(begin_unix_s), ended_before_(ended_before) {}

  // Looks at the plan. `arrived`: submissions so far; `next_arrival_s`: of the next one, which is known.
  // Returns how many jobs of the stream have ended.
  int look(HttpClient& client, int arrived, std::optional<double> next_arrival_s);
  void end();  // of the stream
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] double spent_usd() const { return spent_usd_; }
  [[nodiscard]] bool idle() const { return idle_; }  // no node is on

 private:
  void close(double now_s);

  double begin_unix_s_;
  int ended_before_;
  int seen_ = -1;         // arrivals and ends
  double changed_s_ = 0;  // when the last one was seen
  std::optional<Slot> undecided_ = {};
  std::optional<Slot> now_ = {};
  double spent_usd_ = 0;
  bool idle_ = true;
  std::vector<Slot> slots_;
};

}  // namespace sextant::test
