// Files of cases, whatever is asked of them: where they are read from, and what is said when they are done.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output_file.h"
#include "sextant/cli/io.h"
#include "sextant/report/answered_cases.h"

namespace sextant::cli {

// '-' is standard input.
CsvTable read_cases(const std::string& file);

// Where answers go: a file, which is opened at once, or standard output.
class CaseOutput {
 public:
  CaseOutput(const std::optional<std::string>& out, const Io& io);

  // CSV, row by row, unless another form (also a table, by name) or fewer columns are asked for.
  void write(const Io& io, const Globals& globals, const report::AnsweredCases& answered);

 private:
  OutputFile file_;
};

// "cases.csv: 5 rows, 4 predicted, 1 with an error; the first in row 4: ...". One text for each row, empty
// where it was answered.
void summarize_cases(const Io& io, const std::string& file, const std::vector<std::string_view>& errors);

}  // namespace sextant::cli
