// Cells that the tables of an analysis share.
#pragma once

#include <optional>

#include "sextant/report/fields.h"
#include "sextant/stats/interval.h"

namespace sextant::report::analysis_cells {

Cell number(double value);                                   // three digits on screen
Cell number(const std::optional<double>& value);             // empty where there is none
Cell p_value(const std::optional<double>& p);                // "< 0.0001"; empty where there is none
std::string p_text(double p);                                // "p = 0.0312", "p < 0.0001"
Cell verdict(const std::optional<double>& p, double level);  // "evidence", "no evidence"
// Of two tests; "unclear" where they disagree.
Cell verdict(const std::optional<double>& p, const std::optional<double>& rank_p, double level);
Cell range(const stats::Interval& interval);  // "1.2 to 3.4", in JSON the two ends
Cell instead(std::string text);               // of a value: null in JSON
Cell count(std::size_t n);
std::string short_number(double value);

// A number of the row, for files.
template <class Row>
Field<Row> file_number(std::string key, double Row::*member) {
  return {std::move(key), "", [member](const Row& row) { return Cell(row.*member); }, Importance::detail};
}

}  // namespace sextant::report::analysis_cells
