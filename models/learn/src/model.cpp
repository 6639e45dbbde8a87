#include "sextant/learn/model.h"

#include <algorithm>
#include <cmath>

namespace sextant::learn {

double positive_floor(std::span<const double> responses) {
  const double smallest = std::ranges::min(responses);
  return smallest > 0 ? smallest / 100 : 0;
}

RowPrediction predict(const Model& model, const EncodedRow& row) {
  RowPrediction out;
  out.value = model.regressor->predict(row.x);
  out.extrapolating = row.unseen || !model.domain.contains(row.x);
  // Not finite: so far away that the sum overflowed.
  if (!std::isfinite(out.value) || (model.floor > 0 && out.value < model.floor)) {
    out.value = model.floor;
    out.extrapolating = true;
  }
  out.interval = interval(model.calibration, out.value, out.extrapolating);
  return out;
}

}  // namespace sextant::learn
