// Which operators and kernels take most of a step.
#pragma once

#include <vector>

#include "profile_recording.h"
#include "sextant/spans/profile.h"

namespace sextant::spans {

std::vector<OperatorTotal> top_operators(const std::vector<RankRecording>& recordings);
std::vector<OperatorTotal> top_kernels(const std::vector<RankRecording>& recordings);

}  // namespace sextant::spans
