// A cluster's log of failures: which node failed when, and until when it was away. From CSV, in the columns
// that such logs have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/units.h"

namespace sextant::failures {

struct Failure {
  Seconds at{};                        // since the log began
  std::int64_t node = 0;               // from 0
  std::optional<Seconds> repair = {};  // until the node was back
};

struct FailureLog {
  std::string name = {};               // of the system, where the file has several
  std::int64_t nodes = 0;              // of the cluster; some may never have failed
  Seconds period{};                    // from the first failure to the last
  std::vector<Failure> failures = {};  // by time

  // Mean time between failures of one node.
  [[nodiscard]] Seconds node_mtbf() const;
  // The part from `from` on, before `to`, with its own time.
  [[nodiscard]] FailureLog between(Seconds from, Seconds to) const;
};

struct FailureLogOptions {
  std::optional<std::int64_t> nodes = {};  // of the cluster, where the file does not say
};

// One log for each value of the column `system`, in the order of the file; one where there is none.
// Columns: `node`, any text; the time as `start_s`, `start_h` or `start_day`, or as a date in `started`;
// optional `end_s`, `end_h`, `end_day`, `down_minutes`, and `nodes`, how many the system has. A node that
// never failed has no row, so without a number of nodes those that failed are counted.
// InputError: a time that is none, an end before its start, more nodes that failed than there are, fewer than
// two failures of a system.
std::vector<FailureLog> read_failure_logs(const CsvTable& table, const FailureLogOptions& options = {});

}  // namespace sextant::failures
