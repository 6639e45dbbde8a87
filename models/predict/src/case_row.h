// A row of a case file as a job. Errors name the column and not the line, whose number takes a walk
// over the text to find: who wants it asks the table.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sextant/core/csv.h"
#include "sextant/predict/case_file.h"

namespace sextant::predict {

class CaseColumns {
 public:
  explicit CaseColumns(const CsvTable& table);

  // Case cells of a row, joined by a byte that no cell holds: equal keys are equal questions.
  void key(const CsvTable& table, std::size_t row, std::string& out) const;
  // Blanks around the cell are dropped; "" for a column that is not there. `name` is in kCaseColumns.
  [[nodiscard]] std::string cell(const CsvTable& table, std::size_t row, std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;

 private:
  std::array<std::optional<std::size_t>, kCaseColumns.size()> columns_;
};

struct Case {
  jobs::Job job;
  std::string gpu;
  bool says_precision = false;
};

// Sizes that the row leaves open are open in the job too: see fill_sizes(). Throws InputError whose
// position is the column's name.
Case read_case(const CsvTable& table, const CaseColumns& columns, std::size_t row,
               const CaseDefaults& defaults);

// Default sizes, where the network has such a size at all.
void fill_sizes(nets::Binding& sizes, const nets::Binding& defaults, const nets::Network& network);

// "batch" of an error at column "batch" or at field "batch".
std::string column_of(const InputError& error);

}  // namespace sextant::predict
