#include <algorithm>

#include "sextant/learn/fit.h"

namespace sextant::learn {

Evaluation evaluate_model(const Model& model, const DataTables& tables) {
  const std::size_t response = tables.column(model.response);
  Evaluation out;
  std::vector<double> measured;
  std::vector<double> predicted;
  std::size_t covered = 0;
  for (std::size_t i = 0; i < tables.rows(); ++i) {
    const EvaluatedRow row{tables.number(i, response), predict(model, encode(tables, i, model.features))};
    measured.push_back(row.measured);
    predicted.push_back(std::clamp(row.prediction.value, -1e140, 1e140));
    out.extrapolating += row.prediction.extrapolating ? 1 : 0;
    covered += row.prediction.interval && row.prediction.interval->contains(row.measured) ? 1 : 0;
    out.rows.push_back(row);
  }
  out.metrics = compare(measured, predicted);
  if (model.calibration.inside) {
    out.metrics.coverage = 100 * static_cast<double>(covered) / static_cast<double>(out.rows.size());
  }
  return out;
}

}  // namespace sextant::learn
