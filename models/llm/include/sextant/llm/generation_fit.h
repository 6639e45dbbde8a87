// Measured static batches of text generation, and the fit of what engines add.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/llm/generation.h"
#include "sextant/stats/accuracy.h"

namespace sextant::llm {

// Reads the tables below llm-serving in the folder; kernels are those that ship.
GenerationModel fit_generation(const std::string& data_folder, const catalog::Catalog& catalog);

// Errors on networks and devices left out of the fit, lines of docs/accuracy.md. A device that is left out
// is left out of the laws of kernels as well.
std::vector<stats::AccuracyLine> generation_accuracy(const std::string& data_folder,
                                                     const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::llm
