// Recorded jobs: when each arrived, or how long after the one before, and how long its service took.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/csv.h"

namespace sextant::queueing {

struct JobColumns {
  std::string arrival = "arrival_s";            // instants, ascending
  std::string interarrival = "interarrival_s";  // where there is no column of instants
  std::string service = "service_s";
};

struct JobRecords {
  std::vector<double> arrival_s;       // an instant per job
  std::vector<double> interarrival_s;  // one less where instants were given
  std::vector<double> service_s;
};

// InputError that points at the cell: a column that is missing, fewer than 20 jobs, a value that is not a
// number from 0 to 1e150, an arrival before the one above it.
JobRecords job_records(const CsvTable& table, const JobColumns& columns = {});

}  // namespace sextant::queueing
