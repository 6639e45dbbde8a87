// What readers of predictions should know besides the numbers: why some are outside of what the model was
// fitted on, and what the times are for.
#pragma once

#include <string>
#include <vector>

#include "sextant/predict/prediction.h"

namespace sextant::ask {

struct GpuPrediction {
  std::string gpu;
  const predict::Prediction* prediction = nullptr;
};

// Each said once, with the GPUs that it is about where that is not all of them.
std::vector<std::string> prediction_notes(const std::vector<GpuPrediction>& predictions);

}  // namespace sextant::ask
