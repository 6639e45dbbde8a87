// Machines for a deadline: a line for each size of the data set, and the curve of every number of machines.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/advise.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Sizes first: machines that keep the deadline, and where more stop paying. Then the curve, for files.
Result scale_result(const ask::ScaleAnswers& answer);
inline constexpr std::size_t kScaleCurve = 1;  // its place among the sections
// Sizes that no number of machines holds, or gets done in time.
std::vector<std::string> scale_warnings(const ask::ScaleAnswers& answer);

}  // namespace sextant::report
