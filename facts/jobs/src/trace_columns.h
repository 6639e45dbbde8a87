// The columns of Sextant's own traces: one table for the writer and the reader, so that what is written reads
// back exactly.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/jobs/trace.h"
#include "trace_csv.h"

namespace sextant::jobs {

struct CellPlace {
  const TraceCsv& csv;
  std::size_t row, column;
};

struct TraceColumn {
  std::string name;
  bool always;                   // written even where no job departs from the default
  std::optional<WorkUnit> unit;  // of the column of the work, which has a name for each unit
  std::string (*write)(const Trace& trace, const TraceJob& job);
  void (*read)(const CellPlace& cell, TraceBuilder& builder, TraceJob& job);  // of a cell that is not empty
};

const std::vector<TraceColumn>& trace_columns();

}  // namespace sextant::jobs
