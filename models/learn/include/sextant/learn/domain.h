// The range of the training rows: the box of their values, and their largest leverage, which also sees
// corners of the box where nothing was measured. Outside it a prediction is an extrapolation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sextant/stats/linear_model.h"
#include "sextant/stats/matrix.h"

namespace sextant::learn {

struct Domain {
  std::vector<double> low;
  std::vector<double> high;
  std::optional<stats::OlsFit> hat;  // basis and dropped columns only; none with fewer rows than columns

  [[nodiscard]] bool contains(std::span<const double> x) const;
};

Domain domain_of(const stats::Matrix& x);

}  // namespace sextant::learn
