// The error of the kernel model on what it has not seen: whole devices, whole networks and large batches
// left out in turn, every choice made inside the fold, intervals included.
#pragma once

#include <string>
#include <vector>

#include "sextant/predict/stack.h"
#include "sextant/stats/accuracy.h"

namespace sextant::predict {

struct AccuracyRows {
  std::string data;
  std::string stack;
  StackTraits traits;
  std::vector<const Observation*> rows;
  StackFitOptions options = {};
};

enum class Leave { gpu, net };
stats::AccuracyLine leave_out(const AccuracyRows& question, Leave what, Progress& progress);

// Each device left out in turn, then `count` cases on it timed, which choose_trials() names. With
// `networks` a case is a network, in all its precisions, on one instance.
struct AnchorPlan {
  std::size_t count = 8;
  bool networks = false;
  std::string mode = {};  // only steps of this mode are timed and asked about; empty: all
};
stats::AccuracyLine leave_out_and_anchor(const AccuracyRows& question, const AnchorPlan& plan,
                                         Progress& progress);

// Fitted on smaller batches; the same job's smaller batches give a line to lean on.
stats::AccuracyLine extrapolate_batch(const AccuracyRows& question, double least_batch, Progress& progress);

// Rows of software that `stack` was not calibrated for. Each device in turn is timed `count` times, and the
// steps of all others are asked about: as the stack has them, and corrected by what the timings carry over.
struct CarryLines {
  stats::AccuracyLine as_is;
  stats::AccuracyLine carried;
};
CarryLines carry_over(const AccuracyRows& question, const Stack& stack, std::size_t count,
                      const catalog::Catalog& catalog);

// The cases of one mode.
stats::AccuracyLine only_mode(stats::AccuracyLine line, const std::string& mode);

}  // namespace sextant::predict
