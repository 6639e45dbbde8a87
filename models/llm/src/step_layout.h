// What tables of steps leave open: layouts, stages and formats as they are usual with a device and a network.
#pragma once

#include <string>

#include "sextant/llm/step_case.h"

namespace sextant::llm {

struct MlperfEntry {
  std::string round;      // "v5.1"
  std::string submitter;  //
  std::string benchmark;  // "llama31_8b"
  std::string config;     // name of the file; empty where it is not known
  double accumulation = 1;
  std::int64_t tp = 0;  // 0: not named
  std::int64_t pp = 0;
  std::int64_t cp = 0;
  std::int64_t vp = 0;
  double micro_batch = 0;
};
void fill_mlperf(const MlperfEntry& entry, StepCase& step);

// Virtual stages where a pipeline does not name them.
std::int64_t usual_stages(const StepCase& step, bool interleaved);
// Programs of JAX say neither layout nor micro-batch; their compiler splits everything over everything.
void fill_jax(StepCase& step);

}  // namespace sextant::llm
