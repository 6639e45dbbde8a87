// How far predictions were off on what they had not seen: one line of docs/accuracy.md, whatever the model.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::stats {

struct AccuracyLine {
  std::string data;
  std::string left_out;
  std::optional<double> target = {};  // mean absolute percentage error to stay below

  struct Case {
    std::string group;      // what was left out: the device, the network, the system
    std::string mode;       // of the step: train or infer; empty where there is no such thing
    double error = 0;       // |predicted - measured| / measured
    bool covered = false;   // by the stated 90 % interval
    double half_width = 0;  // of that interval, relative to the prediction
  };
  std::vector<Case> cases = {};
  bool intervals = true;  // false: answers have none, and nothing is said of them

  [[nodiscard]] double mean_error() const;
  [[nodiscard]] double median_error() const;
  [[nodiscard]] double error_at(double quantile) const;
  [[nodiscard]] double coverage() const;
  [[nodiscard]] double median_half_width() const;
  // Mean error of each group, worst first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> by_group() const;
};

}  // namespace sextant::stats
