// Tables of runs written as text, for the tests of the analysis.
#pragma once

#include <string>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis::test {

inline AnalysisTable runs(const std::string& csv, AnalysisRequest request) {
  return analysis_table(CsvTable::parse(csv, "runs.csv"), request);
}

// Made up: three machines, two batch sizes, as many runs in each as came to hand.
inline const char* const kUnbalanced =
    "machine,batch,time\n"
    "small,32,41.2\nsmall,32,43.1\nsmall,64,38.5\nsmall,64,37.9\nsmall,64,39.6\n"
    "medium,32,30.3\nmedium,32,31.9\nmedium,32,29.8\nmedium,64,22.4\nmedium,64,23.5\n"
    "large,32,25.1\nlarge,64,14.2\nlarge,64,15.9\nlarge,64,13.8\n";

inline const char* const kThreeGroups =
    "group,y\na,10.1\na,9.8\na,10.3\nb,12.2\nb,12.6\nb,11.9\nc,15.1\nc,14.7\nc,15.4\n";

}  // namespace sextant::analysis::test
