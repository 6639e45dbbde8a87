// A job: what is to be run, before anybody says where. The same value is measured, predicted,
// scheduled and recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/precision.h"
#include "sextant/jobs/layout.h"
#include "sextant/nets/network.h"

namespace sextant::jobs {

enum class Mode { train, infer };
// adamw differs from adam in what it computes, not in what it costs; adam_8bit keeps its two moments in a
// byte each, with a scale in fp32 for every 256 (Dettmers et al. 2022, arXiv 2110.02861).
enum class Optimizer { none, sgd, momentum, adam, adamw, adam_8bit };

// How long the whole job runs: passes over a data set.
struct Duration {
  double epochs = 1;
  std::int64_t samples = 0;  // in the data set
};

struct Job {
  std::string net;      // of the zoo, or the path of an ONNX file
  nets::Binding sizes;  // batch is per device
  Mode mode = Mode::train;
  Precision precision = Precision::fp32;
  Optimizer optimizer = Optimizer::sgd;
  std::string stack = "pytorch";  // software that runs it: the calibration that predictors use
  Layout layout;
  std::optional<Duration> duration = {};
};

// Values kept per parameter besides weight and gradient: 0 for plain SGD, 1 with momentum, 2 for Adam.
int optimizer_state_values(Optimizer optimizer);
// Bytes of those for one parameter: 4 each, 2 in bf16-pure, about 1 with 8 bits; without master weights.
Bytes optimizer_state_size(Optimizer optimizer, Precision precision);
// What an update moves, in tensors of fp32 as large as the weights: weight and gradient are read, the weight
// is written, states are read and written.
double update_tensors(Optimizer optimizer);

// Steps of the whole job; a last incomplete batch is a step.
std::int64_t step_count(const Job& job, const Duration& duration);

std::string to_string(Mode mode);
std::string to_string(Optimizer optimizer);
std::vector<std::string> optimizer_names();
Mode parse_mode(std::string_view name, const SourcePos& at = {});
Optimizer parse_optimizer(std::string_view name, const SourcePos& at = {});

}  // namespace sextant::jobs
