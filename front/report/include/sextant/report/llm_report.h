// Models of large language models: what they were fitted on.
#pragma once

#include "sextant/llm/generation.h"
#include "sextant/llm/kernels.h"
#include "sextant/llm/step_model.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result llm_fit_result(const llm::StepModel& model);
Result llm_fit_result(const llm::KernelModel& model);
Result llm_fit_result(const llm::GenerationModel& model);

}  // namespace sextant::report
