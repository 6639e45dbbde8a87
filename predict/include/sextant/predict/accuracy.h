// The error of the kernel model on what it has not seen: whole devices, whole networks and large batches
// left out in turn, every choice made inside the fold, intervals included.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/predict/stack.h"

namespace sextant {

// One line of docs/accuracy.md.
struct AccuracyLine {
  std::string data;
  std::string left_out;
  std::optional<double> target = {};  // mean absolute percentage error to stay below

  struct Case {
    std::string group;      // the device or network that was left out
    std::string mode;       // of the step: train or infer
    double error = 0;       // |predicted - measured| / measured
    bool covered = false;   // by the stated 90 % interval
    double half_width = 0;  // of that interval, relative to the prediction
  };
  std::vector<Case> cases = {};

  [[nodiscard]] double mean_error() const;
  [[nodiscard]] double median_error() const;
  [[nodiscard]] double error_at(double quantile) const;
  [[nodiscard]] double coverage() const;
  [[nodiscard]] double median_half_width() const;
  // Mean error of each group, worst first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> by_group() const;
};

struct AccuracyQuestion {
  std::string data;
  std::string stack;
  StackTraits traits;
  std::vector<const Observation*> rows;
  StackFitOptions options = {};
};

enum class Leave { gpu, net };
AccuracyLine leave_out(const AccuracyQuestion& question, Leave what, Progress& progress);

// Each device left out in turn, then `count` cases on it timed, which choose_trials() names. With
// `networks` a case is a network, in all its precisions, on one instance.
struct AnchorPlan {
  std::size_t count = 8;
  bool networks = false;
  std::string mode = {};  // only steps of this mode are timed and asked about; empty: all
};
AccuracyLine leave_out_and_anchor(const AccuracyQuestion& question, const AnchorPlan& plan,
                                  Progress& progress);

// Fitted on smaller batches; the same job's smaller batches give a line to lean on.
AccuracyLine extrapolate_batch(const AccuracyQuestion& question, double least_batch, Progress& progress);

// The cases of one mode.
AccuracyLine only_mode(AccuracyLine line, const std::string& mode);

}  // namespace sextant
