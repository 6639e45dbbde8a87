// How far predicted memory is from measured memory, on networks that were left out.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/stats/accuracy.h"

namespace sextant::llm {

// Lines of docs/accuracy.md from the tables below llm-training in the folder: memory of Megatron, of steps
// that state it, and of fine-tuning; then shares of runs whose verdict was wrong. Rows of networks and
// devices that are not known are left out.
std::vector<stats::AccuracyLine> memory_accuracy(const std::string& data_folder,
                                                 const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::llm
