// Cells that the tables of an analysis share.
#pragma once

#include <optional>

#include "sextant/report/table.h"
#include "sextant/stats/interval.h"

namespace sextant::report::analysis_cells {

Cell number(double value);                                   // four digits on screen
Cell p_value(const std::optional<double>& p);                // "< 0.0001"; empty where there is none
Cell verdict(const std::optional<double>& p, double level);  // "evidence", "no evidence"
Cell range(const stats::Interval& interval);                 // "1.2 to 3.4"
Cell count(std::size_t n);
std::string short_number(double value);
Json pair_json(const stats::Interval& interval);  // null where an end is infinite
Json optional_json(const std::optional<double>& value);

}  // namespace sextant::report::analysis_cells
