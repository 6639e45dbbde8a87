// Answers side by side that rest on different evidence: what a reader of a ranking has to know.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sextant/predict/prediction.h"

namespace sextant::ask {

// "a100, t4 and 3 others"
std::string gpu_list(const std::set<std::string>& gpus);

struct DeviceEvidence {
  std::string gpu;
  predict::Evidence evidence = predict::Evidence::none;
};

// Nothing where all answers rest on the same kind of evidence.
std::vector<std::string> evidence_notes(const std::vector<DeviceEvidence>& answers);

}  // namespace sextant::ask
