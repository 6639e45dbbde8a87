#include "queue_cells.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace sextant::report {

Cell unbounded_cell(Seconds time) {
  Cell cell(time);
  if (std::isinf(time.value)) cell.shown = "unbounded";
  return cell;
}

Json quantiles_json(const std::optional<queueing::TimeQuantiles>& q) {
  if (!q) return nullptr;
  return {{"p50_s", q->p50.value}, {"p90_s", q->p90.value}, {"p95_s", q->p95.value}, {"p99_s", q->p99.value}};
}

}  // namespace sextant::report
