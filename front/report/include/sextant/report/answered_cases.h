// A file of cases with its answers: the columns of the file as they were, then the declared fields of the
// answers. As CSV it is written row by row, since such files can have millions of them.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/report/result.h"

namespace sextant::report {

struct AnsweredCases {
  const CsvTable& cases;
  // Of the answers. A column of the file that has one of these names is left out.
  std::vector<Column> columns;
  std::size_t distinct = 0;                               // answers; rows may share one
  std::function<std::vector<Cell>(std::size_t)> cells;    // of an answer
  std::function<std::size_t(std::size_t)> answer_of_row;  // below `distinct`
  std::string schema = {};
};

// The answers are rows of these fields; of_row(i) is the place of the one for row i of the file.
template <class Row>
AnsweredCases answered(const CsvTable& cases, const Fields<Row>& fields, std::span<const Row> answers,
                       const std::function<std::size_t(std::size_t)>& of_row) {
  const auto cells = [fields, answers](std::size_t i) {
    std::vector<Cell> row;
    for (const Field<Row>& field : fields) row.push_back(field.value(answers[i]));
    return row;
  };
  return {.cases = cases,
          .columns = table_of(fields, std::span<const Row>{}).columns,
          .distinct = answers.size(),
          .cells = cells,
          .answer_of_row = of_row};
}

// All of it at once. JSON has the columns of the file in an object of their own.
Result cases_result(const AnsweredCases& answered);
// The same as CSV, in large pieces.
void write_cases_csv(std::ostream& out, const AnsweredCases& answered);

}  // namespace sextant::report
