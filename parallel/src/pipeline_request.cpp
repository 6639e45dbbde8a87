// What pipelines may be asked: parameters, their names, and values worth trying.
#include <algorithm>
#include <cmath>

#include "pipeline_step.h"

namespace sextant {

std::vector<ParameterInfo> pipeline_parameters(const char* stages) {
  return {{"stages", stages, 0, 0, 1e6},
          {"micro", "micro-batches of a replica; 0: up to 4 a stage", 0, 0, 1e6},
          {"schedule", "gpipe, or 1f1b, which starts backward passes early", 1, 0, 1},
          {"pieces", "of the network on each device: interleaving, with 1f1b", 1, 1, 64}};
}

std::vector<NamedValue> schedule_words() {
  return {{"schedule", "gpipe", 0}, {"schedule", "1f1b", 1}};
}

PipelineRequest pipeline_request(const char* strategy, const StrategyValues& values) {
  PipelineRequest request{strategy};
  request.stages = static_cast<std::int64_t>(values[pipe_stages]);
  request.micro = static_cast<std::int64_t>(values[pipe_micro]);
  request.schedule = values[pipe_schedule] == 0 ? Schedule::gpipe : Schedule::one_f_one_b;
  request.pieces = static_cast<std::int64_t>(values[pipe_pieces]);
  return request;
}

void append_pipelines(std::vector<StrategyValues>& list, StrategyValues usual, std::int64_t stages,
                      double samples) {
  usual[pipe_stages] = static_cast<double>(stages);
  list.push_back(usual);
  const auto fewest = static_cast<double>(stages);
  if (std::fmod(samples, fewest) == 0) {
    list.push_back(usual);
    list.back()[pipe_micro] = fewest;
  }
  if (std::fmod(samples, 2 * fewest) == 0) {
    list.push_back(usual);
    list.back()[pipe_micro] = 2 * fewest;
    list.back()[pipe_pieces] = 2;
  }
}

}  // namespace sextant
