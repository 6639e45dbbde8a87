// From the books to a planner and back: what it sees of them, and which steps its decision means.
#pragma once

#include <string>
#include <vector>

#include "books.h"
#include "sextant/capacity/decision.h"

namespace sextant::daemon {

// Of those that wait, the planner sees so many: by the latest time at which they may start, then by
// submission.
inline constexpr std::size_t kMostSeen = 1000;

struct View {
  capacity::Snapshot snapshot = {};
  std::vector<std::string> types = {};  // names, by index of the snapshot
  std::vector<std::string> nodes = {};
  std::vector<std::string> jobs = {};
};
View view_of(const Books& books, const capacity::Wishes& wishes, Seconds now);

// A decision in names, so that it still means the same when the books have moved on.
struct NamedAssignment {
  std::string job;
  std::string machine;
  std::int32_t gpus = 0;
  std::vector<NodeShare> shares = {};
};
struct NamedDecision {
  std::map<std::string, std::string> nodes = {};  // name, machine; off where it is empty
  std::vector<NamedAssignment> run = {};
  std::vector<std::string> refused = {};
  std::vector<std::string> admitted = {};  // all others that were seen, where admission is asked for
};
NamedDecision named(const View& view, const capacity::Decision& decision);
// The same for another view; jobs that are over by now are left out. Nothing where nodes are not the same any
// more.
std::optional<capacity::Decision> decision_for(const View& view, const NamedDecision& named);

// What has to be done, in order: stops, nodes off, nodes on, starts. Keys and numbers are not yet given.
std::vector<Step> steps_of(const Books& books, const NamedDecision& decision, Seconds now);

// Why jobs wait, for people.
class WaitingReasons {
 public:
  explicit WaitingReasons(const Books& books);
  [[nodiscard]] std::string of(const DaemonJob& job) const;

 private:
  bool no_nodes_ = false;
  std::int32_t off_ = 0;        // nodes that could be switched on
  std::int32_t most_free_ = 0;  // GPUs of one node
};

}  // namespace sextant::daemon
