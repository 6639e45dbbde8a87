#include "queue_cells.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace sextant {

Cell digits_cell(double value) {
  Cell cell(value);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  cell.shown = std::isinf(value) ? "unbounded" : text.data();
  return cell;
}

Cell unbounded_cell(Seconds time) {
  Cell cell(time);
  if (std::isinf(time.value)) cell.shown = "unbounded";
  return cell;
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json quantiles_json(const std::optional<TimeQuantiles>& q) {
  if (!q) return nullptr;
  return {{"p50_s", q->p50.value}, {"p90_s", q->p90.value}, {"p95_s", q->p95.value}, {"p99_s", q->p99.value}};
}

}  // namespace sextant
