// Timed kernels, and the fit of the laws to them.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/llm/kernels.h"
#include "sextant/stats/accuracy.h"

namespace sextant::llm {

// Reads the tables below llm-kernels in the folder. Rows of devices that are not known, and rows that are
// faster than the device can be, are left out.
KernelModel fit_kernels(const std::string& data_folder, const catalog::Catalog& catalog, Progress& progress);

// Errors on devices left out of the fit, lines of docs/accuracy.md.
std::vector<stats::AccuracyLine> kernel_accuracy(const std::string& data_folder,
                                                 const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::llm
