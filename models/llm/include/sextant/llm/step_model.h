// The time of an optimizer's step: floating-point operations over reachable rates, traffic of memory,
// collectives and the bubble of a pipeline, each with a fitted coefficient. The logarithm of a coefficient is
// a shared value and departures of architecture, format, family of software, software and release, all drawn
// to what is assumed beforehand; so a device that was never timed gets the law of its specifications.
// docs/models/llm-steps.md has the formulas.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/units.h"
#include "sextant/llm/step_case.h"

namespace sextant::llm {

inline constexpr const char* kStepSchema = "sextant.llm-steps/1";

// Half-widths of 90 % intervals in the logarithm of time, from groups left out of the fit.
struct StepWidths {
  std::map<std::string, double> stacks = {};  // software that was timed, on devices that were timed
  double other = 0.4;                         // software that was not
  double new_gpu = 0.4;                       // never narrower than this on a device that was not
  double new_pair = 0.4;  // nor than this with software on an architecture that it was not
};

struct StepModel {
  std::vector<double> shared;                                        // by field, in the order of the law
  std::map<std::pair<std::string, std::string>, double> departures;  // of a field, for a key ("arch:hopper")
  double power_slope = 0;            // of the efficiency of matrix products in watts for a peak FLOP/s
  std::map<std::string, int> gpus;   // rows of each device in the fit
  std::map<std::string, int> pairs;  // and of software on each architecture: "nemo hopper"
  StepWidths widths;
  int rows = 0;
  double mean_error = 0;  // relative, on the rows of the fit
};

// Where a step's time goes. Parts of a pipeline are those of its slowest stage; they add up to `step`.
struct StepParts {
  Seconds matrices;  // products with weights, recomputed ones too
  Seconds attention;
  Seconds memory;     // norms, activations, routing of tokens, conversions, losses: bound by memory
  Seconds launches;   // what the host adds where it is slower than the device
  Seconds tensor;     // all-reduces inside layers
  Seconds experts;    // all-to-all
  Seconds context;    // keys and values between parts of a sequence
  Seconds pipeline;   // bubble and transfers
  Seconds replicas;   // gradients and weights, as far as nothing hides them
  Seconds optimizer;  // and what else happens once in a step
};

struct StepTime {
  Seconds step;
  Seconds low;  // 90 % interval
  Seconds high;
  StepParts parts;
  double tokens_per_second_per_gpu = 0;
  // Model FLOPs over the peak of the format: 6 for each active parameter outside the embedding and token, and
  // attention counted causally, forward and backward; nothing for what is recomputed.
  double mfu = 0;
  bool timed_gpu = true;    // rows of this device are in the fit
  bool timed_stack = true;  // and of this software
  bool timed_pair = true;   // and of the two together, as far as the architecture goes
  bool timed_kind = true;   // not of networks whose layers keep states
};

StepTime predict_step(const StepModel& model, const StepCase& step);

// The same for many cases: coefficients of software and device are found once. Keeps a reference to the
// model; one for each thread.
class StepPredictor {
 public:
  explicit StepPredictor(const StepModel& model) : model_(model) {}
  StepTime predict(const StepCase& step);

 private:
  const StepModel& model_;
  std::map<std::string, std::vector<double>> values_;  // by software, device and format
};

// Throws InputError at the field: degrees that do not multiply to the devices, a batch that micro-batches do
// not fill, more expert parallelism than experts, tensor parallelism that does not divide the heads.
void check(const StepCase& step);

Json to_json(const StepModel& model);
StepModel step_model_from_json(const Json& json, const std::string& file);
// The model that ships.
const StepModel& builtin_step_model();

}  // namespace sextant::llm
