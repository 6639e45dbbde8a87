// How far simulated costs of planning are off those that the authors of ANDREAS got from their own program.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/stats/accuracy.h"

namespace sextant::ask {

// `folder` has the instances, and reference_costs.csv (instance, method, seed, total_usd). Compared are the
// methods that draw nothing, under the rules of the authors' simulator; no coefficient is fitted to them.
stats::AccuracyLine plan_accuracy(const std::string& folder, const catalog::Catalog& catalog,
                                  Progress& progress);

}  // namespace sextant::ask
