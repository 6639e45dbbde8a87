// Measured steps as a least-squares problem in the logarithm of time: unknowns with what is assumed of them,
// and rows that name the unknowns of each coefficient.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sextant/llm/step_fit.h"
#include "step_effects.h"

namespace sextant::llm {

struct StepTerm {
  std::size_t field;
  std::size_t unknown;
  double times;
};

struct StepUnknown {
  std::size_t field;
  std::string key;  // empty: the shared value; "power": the slope
  double mean;
  double deviation;
};

struct StepRow {
  StepDemand demand;
  double log_seconds;
  double weight;  // one over the spread that is expected of the logarithm
  std::vector<StepTerm> terms;
  std::string stack;
  std::string gpu;
  std::string pair;         // of software and architecture
  std::string model_group;  // source and network
  std::string count_group;  // source and number of devices
};

struct StepProblem {
  std::vector<StepUnknown> unknowns;
  std::vector<StepRow> rows;
};
StepProblem make_problem(const std::vector<MeasuredStep>& steps);

StepValues row_values(const StepRow& row, std::span<const double> unknowns);
std::vector<double> start_of(const StepProblem& problem);
// The most likely unknowns given the rows named by `kept`.
std::vector<double> solve_steps(const StepProblem& problem, const std::vector<std::size_t>& kept,
                                std::vector<double> start);
// Half-widths from residuals of groups left out, by the linear formula: no group is fitted without again.
StepWidths widths_of(const StepProblem& problem, const std::vector<std::size_t>& kept,
                     const std::vector<double>& unknowns);
StepModel model_of(const StepProblem& problem, const std::vector<std::size_t>& kept,
                   const std::vector<double>& unknowns);

}  // namespace sextant::llm
