// Writers that are killed (SIGKILL) at random moments and started again on the same file.
// A writer says on a pipe which record it is about to append and, once append() has returned, that
// it was acknowledged. One that was cut off in between is appended again, under the same id, by the
// next writer. Afterwards the file must hold every acknowledged record once and nothing unheard of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sextant::records::test {

struct KillPlan {
  std::string path;  // of the store; need not exist
  int kills = 50;
  int writers = 1;  // at once, killed together
  std::uint64_t seed = 1;
};

struct KillReport {
  int kills = 0;
  std::int64_t acknowledged = 0;
  std::int64_t repeated = 0;        // appends whose outcome was unknown
  std::int64_t repeated_found = 0;  // of those, stored already
  std::vector<std::string> faults;
};

KillReport run_kills(const KillPlan& plan);

}  // namespace sextant::records::test
