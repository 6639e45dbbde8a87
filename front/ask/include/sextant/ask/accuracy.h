// How far the models are off on devices, networks, placements and systems that were left out of their fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/stats/accuracy.h"

namespace sextant::ask {

struct AccuracyQuestion {
  std::string data = {};                 // folder with the measured tables that the models were made of
  std::optional<std::string> only = {};  // lines in whose name this stands
};

// Takes a few minutes.
std::vector<stats::AccuracyLine> accuracy(const AccuracyQuestion& question, const catalog::Catalog& catalog,
                                          Progress& progress);

}  // namespace sextant::ask
