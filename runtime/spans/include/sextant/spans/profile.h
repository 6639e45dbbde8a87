// What a recording of PyTorch's profiler says: how long a step takes, where its time goes, which steps were
// slow, and which operators and kernels take most. Kernels run beside the CPU that launched them, so a step
// is divided by what the device did, not by what a thread did. Rules: docs/models/span-analysis.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/spans/span.h"

namespace sextant::spans {

// Is this set, or the set that it was converted from, a recording of PyTorch's profiler?
bool is_profile(const SpanSet& set);

// The ranks of a run as one set. InputError for two of one rank, and for a set that is no profile, with the
// name of its file.
struct RankFile {
  std::string name;
  SpanSet set;
};
SpanSet join_ranks(std::vector<RankFile> files);

// A part of a step: compute, communication, copies, input, idle.
struct StepPart {
  std::string name;
  double seconds = 0;    // while any of it went on: median over steps and ranks
  double exposed_s = 0;  // of it, while none of the parts before it went on; these add up to the step
  double share = 0;      // of the time of all steps, what was exposed
};

struct RankSteps {
  std::int64_t rank = 0;
  double step_s = 0;  // medians over its steps
  double compute_s = 0;
  double exposed_communication_s = 0;
  double idle_s = 0;
};

struct SlowStep {
  std::int64_t step = 0;
  std::int64_t rank = 0;
  std::string part;  // that exceeds its own median most, by what was exposed of it
  double seconds = 0;
  double usual_s = 0;  // median step of this rank
  double robust_z = 0;
};

// All calls of one operator, or one kernel, in the steps; times are means over steps and ranks.
struct OperatorTotal {
  std::string name;
  double calls = 0;     // in a step
  double cpu_s = 0;     // without the operators that it called
  double device_s = 0;  // of the kernels that it launched
  double share = 0;     // of the step: of device_s where there is a GPU, else of cpu_s
};

struct ProfileAnalysis {
  std::int64_t steps = 0;  // of each rank
  std::int64_t ranks = 0;
  bool gpu = false;   // parts are by what a GPU did; else by operators of the CPU
  double step_s = 0;  // median over steps, of the slowest rank
  std::vector<StepPart> parts;
  std::vector<RankSteps> by_rank;
  std::vector<SlowStep> slow;
  std::vector<OperatorTotal> operators;  // those that take most, first
  std::vector<OperatorTotal> kernels;    // the same, of a GPU
  std::vector<std::string> warnings = {};
};

// Without the first `skip` steps. InputError where nothing is left.
ProfileAnalysis analyze_profile(const SpanSet& set, std::int64_t skip = 0);

}  // namespace sextant::spans
