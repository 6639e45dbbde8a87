// The linearised problem about a point: normal equations, and the residuals and slopes they are made of.
#pragma once

#include <Eigen/Dense>

#include "step_problem.h"

namespace sextant::llm {

struct SlopeEntry {
  Eigen::Index unknown;
  double slope;
};

struct StepLinear {
  std::vector<std::vector<SlopeEntry>> slopes;  // by kept row, sorted by unknown
  std::vector<double> residuals;                // predicted minus measured
  std::vector<double> weights;                  // squares, with those of far rows reduced
  Eigen::MatrixXd curvature;                    // with what is assumed of the unknowns
  Eigen::VectorXd gradient;
};
StepLinear linearise(const StepProblem& problem, const std::vector<std::size_t>& kept,
                     const std::vector<double>& unknowns);
double step_objective(const StepProblem& problem, const std::vector<std::size_t>& kept,
                      const std::vector<double>& unknowns);

}  // namespace sextant::llm
