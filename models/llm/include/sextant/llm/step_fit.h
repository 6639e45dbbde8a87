// Measured steps, and the fit of the law to them.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/progress.h"
#include "sextant/llm/step_case.h"
#include "sextant/llm/step_model.h"
#include "sextant/stats/accuracy.h"

namespace sextant::llm {

struct MeasuredStep {
  StepCase at;
  Seconds step;
  std::string source;  // "llm-foundry", "mlperf-llama31_8b"
};

// Reads steps.csv, steps_vtrain.csv and mlperf.csv below llm-training in the folder. Rows of networks whose
// sizes are not known are left out.
std::vector<MeasuredStep> read_measured_steps(const std::string& data_folder,
                                              const catalog::Catalog& catalog);

// InputError without rows.
StepModel fit_steps(const std::vector<MeasuredStep>& rows);

// Errors on groups left out of the fit, lines of docs/accuracy.md.
std::vector<stats::AccuracyLine> step_accuracy(const std::string& data_folder,
                                               const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::llm
