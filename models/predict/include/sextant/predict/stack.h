// A software stack as the kernel model knows it: coefficients that all devices share, how known devices
// depart from them, what is left over by group, and how far predictions were off in each situation when
// that part was left out of the fit. Made by `sextant fit --method kernel`, kept as JSON.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/progress.h"
#include "sextant/predict/effects.h"
#include "sextant/predict/kernel_fit.h"
#include "sextant/predict/kernel_model.h"

namespace sextant::predict {

// Half-widths of 90 % intervals, of log time, from rows that were left out.
struct Spread {
  double seen = 0.15;     // device and network are known
  double new_net = 0.3;   //
  double new_gpu = 0.5;   //
  double anchored = 0.3;  // a new device after kAnchorRows timings on it
  // Share of what is known of networks that carries over to a new device, not a width: the one of
  // 0, 1/2 and 1 that was best on devices left out.
  double carry = 1;
};
constexpr std::size_t kAnchorRows = 8;
constexpr double kOutsideFactor = 1.5;  // widening of the interval outside the fitted range
// Least half-width for a network of whose family no stack has timed any: a factor of 4. Of 30 public training
// steps of such networks, 90 % were off by less (docs/models/kernel.md).
constexpr double kStrangerWidth = 1.386;
// And for one of a family that other stacks have timed, but not this one: a factor of 2.1. Of 320 public
// steps of image networks, training and inference, answered by a stack of transformers, 90 % of either were
// off by less.
constexpr double kOtherFamilyWidth = 0.75;

// What the fit has seen; beyond it a prediction is an extrapolation.
struct FittedRange {
  double least_flop = 0;  // of a step
  double most_flop = 0;
  double most_samples = 0;  // largest batch
  double slowest = 0;       // matrix rate of a device, FLOP/s
  double fastest = 0;
  std::set<std::string> modes = {};
  std::set<std::string> precisions = {};
  std::set<KernelKind> kinds = {};  // that took part of the time
};

struct Stack {
  std::string id;  // "pytorch-2.1"
  StackTraits traits;
  SharedFit shared;
  std::map<std::string, Coefficients> departures = {};  // by instance: the GPU, for what ships
  std::map<std::string, Software> software = {};        // that most rows of an instance ran on
  std::map<std::string, std::size_t> few_timings = {};  // instances with at most kAnchorRows rows
  Effects effects;                                      // around the departures
  Effects shared_effects;                               // around the shared model, for devices without one
  Spread spread;
  FittedRange range;
  std::size_t rows = 0;
};

struct StackEstimate {
  StepTime step;         // of the model, before effects
  double log_total = 0;  // with effects
  bool known_gpu = false;
  std::optional<std::size_t> few_timings = {};  // of a device that is known by no more than these
  bool known_net = false;
  bool known_family = false;
  bool stranger = false;  // no stack that ships knows the family either
};

StackEstimate estimate(const Stack& stack, const Observation& question);

// What the estimate of this question is computed with; a departure given takes the place of a known one.
Coefficients coefficients_of(const Stack& stack, const Observation& question,
                             const Coefficients* departure = nullptr);

struct StackFitOptions {
  FitOptions fit;
};

// Which parts of the spread to measure; the others keep their start values.
struct SpreadParts {
  bool seen = true;
  bool new_net = true;
  bool new_gpu = true;  // and anchored
};

// Coefficients, departures and effects from rows of any number of devices.
Stack fit_stack(const std::string& id, std::span<const Observation* const> rows, const StackTraits& traits,
                const StackFitOptions& options);
// Leaves out devices, networks and single rows in turn, and measures how far predictions then are off.
struct SpreadRequest {
  StackFitOptions options = {};
  SpreadParts parts = {};
};
Spread measure_spread(std::span<const Observation* const> rows, const Stack& fitted,
                      const SpreadRequest& request, Progress& progress);
FittedRange range_of(std::span<const Observation* const> rows);

// In what a question leaves the fitted range.
struct RangeMiss {
  bool less_work = false;
  bool more_work = false;
  bool larger_batch = false;
  bool slower_device = false;
  bool faster_device = false;
  bool unknown_kernels = false;
  bool full_memory = false;
  bool mode = false;
  bool precision = false;
  bool operator==(const RangeMiss&) const = default;
};
RangeMiss miss_of(const FittedRange& range, const Observation& question, const StepTime& step);
bool outside(const FittedRange& range, const Observation& question, const StepTime& step);

// Half-width of the 90 % interval, of log time: wider for a new device or network, outside the range, and for
// strangers.
double half_width(const Stack& stack, const StackEstimate& estimate, bool outside);

// A device of which a few steps were timed: its departure, its effects, and how many timings they rest on.
struct Anchor {
  Coefficients departure = {};
  Effects effects;
  std::size_t timings = 0;
  bool known_gpu = false;  // the stack has a departure of this device already, which the timings refine
};
Anchor anchor(const Stack& stack, std::span<const Observation* const> timed);
StackEstimate estimate(const Stack& stack, const Anchor& anchor, const Observation& question);
// Half-width of the interval with so many timings on the device.
double anchored_spread(const Spread& spread, std::size_t timings, bool known_net);
// Further timings that would halve it; none if the network's own uncertainty is already more than that.
std::optional<std::size_t> timings_to_halve(const Spread& spread, std::size_t timings, bool known_net);

Json to_json(const Stack& stack);
Stack stack_from_json(const std::string& text, const std::string& file_name);

// The stacks that ship with the program, by id, and what plain names mean.
const std::map<std::string, Stack>& builtin_stacks();
const Stack& find_stack(const std::string& name, const SourcePos& at = {});
// Whether one of them has timed this network or another of its family.
bool shipped_stacks_know_family(const CaseLabels& labels);
// The one that answers for a job: a plain name means another stack in half precision, and there may be a
// calibration for inference.
const Stack& find_stack(const jobs::Job& job, const SourcePos& at = {});
// The same, or its calibration for inference where it has one ("pytorch-1.x-inference").
const Stack& find_stack(const std::string& name, jobs::Mode mode, const SourcePos& at = {});

}  // namespace sextant::predict
