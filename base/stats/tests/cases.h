// Text tables under tests/cases/: '#' starts a comment, fields are separated by blanks.
// Each row knows its line, so that a failing case can be found.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sextant/stats/linear_model.h"

namespace sextant::stats::test {

struct CaseRow {
  std::string place;  // file:line
  std::vector<std::string> fields;

  [[nodiscard]] double number(std::size_t i) const { return std::stod(fields.at(i)); }
};

inline std::vector<CaseRow> read_cases(const std::string& name) {
  std::ifstream in(std::string(SEXTANT_SOURCE_DIR) + "/base/stats/tests/cases/" + name);
  if (!in) throw std::runtime_error("no case file " + name);
  std::vector<CaseRow> rows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    CaseRow row{.place = name + ":" + std::to_string(number), .fields = {}};
    for (std::string word; words >> word;) row.fields.push_back(word);
    if (!row.fields.empty()) rows.push_back(row);
  }
  return rows;
}

// A table whose last column is y. `columns` picks the others, counted from 1, in that order.
inline Design read_design(const std::string& name, const std::vector<std::size_t>& columns) {
  std::vector<std::vector<double>> x;
  Design design;
  for (const CaseRow& row : read_cases(name)) {
    x.emplace_back();
    for (const std::size_t c : columns) x.back().push_back(row.number(c - 1));
    design.y.push_back(row.number(row.fields.size() - 1));
  }
  design.x = Matrix::from_rows(x);
  for (const std::size_t c : columns) design.names.push_back("x" + std::to_string(c));
  return design;
}

}  // namespace sextant::stats::test
