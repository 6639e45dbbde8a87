#include "analysis_cells.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace sextant::report::analysis_cells {

std::string short_number(double value) {
  return digits_cell(value).shown;
}

Cell number(double value) {
  return digits_cell(value);
}

Cell number(const std::optional<double>& value) {
  return value ? number(*value) : Cell();
}

Cell p_value(const std::optional<double>& p) {
  if (!p) return {};
  Cell cell(*p);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.4f", *p);
  cell.shown = *p < 1e-4 ? "< 0.0001" : text.data();
  return cell;
}

std::string p_text(double p) {
  const std::string shown = p_value(p).shown;
  return shown.starts_with("<") ? "p " + shown : "p = " + shown;
}

Cell verdict(const std::optional<double>& p, double level) {
  if (!p) return "not tested";
  return *p < 1 - level ? "evidence" : "no evidence";
}

Cell verdict(const std::optional<double>& p, const std::optional<double>& rank_p, double level) {
  if (!p || !rank_p) return verdict(p, level);
  const bool both = (*p < 1 - level) == (*rank_p < 1 - level);
  return both ? verdict(p, level) : Cell("unclear");
}

Cell range(const stats::Interval& interval) {
  return Cell::nested(Json::array({number_or_null(interval.low), number_or_null(interval.high)}),
                      short_number(interval.low) + " to " + short_number(interval.high));
}

Cell instead(std::string text) {
  return Cell::nested(nullptr, std::move(text));
}

Cell count(std::size_t n) {
  return static_cast<std::int64_t>(n);
}

}  // namespace sextant::report::analysis_cells
