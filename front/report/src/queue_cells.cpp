#include "queue_cells.h"

#include <cmath>

namespace sextant::report {

Cell unbounded_cell(Seconds time) {
  Cell cell(time);
  if (std::isinf(time.value)) cell.shown = "unbounded";
  return cell;
}

Cell quantile_cell(const std::optional<queueing::TimeQuantiles>& quantiles,
                   Seconds queueing::TimeQuantiles::*which) {
  return quantiles ? Cell((*quantiles).*which) : Cell();
}

Mark approximate_mark() {
  return {"~", "approximate; it supposes that the wait of those jobs that do wait is exponential."};
}

Cell waiting_p95_cell(const queueing::QueueResult& result) {
  Cell cell = quantile_cell(result.waiting_quantiles, &queueing::TimeQuantiles::p95);
  const bool approximate = result.quantiles_standing == queueing::Standing::approximate;
  if (result.waiting_quantiles && approximate) cell.shown.insert(0, approximate_mark().sign);
  return cell;
}

}  // namespace sextant::report
