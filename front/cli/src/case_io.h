// Files of cases, whatever is asked of them: where they are read from, and what is said when they are done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sextant/cli/io.h"
#include "sextant/core/csv.h"

namespace sextant::cli {

// '-' is standard input.
CsvTable read_cases(const std::string& file);

// "cases.csv: 5 rows, 4 predicted, 1 with an error; the first in row 4: ...". One text for each row, empty
// where it was answered.
void summarize_cases(const Io& io, const std::string& file, const std::vector<std::string_view>& errors);

}  // namespace sextant::cli
