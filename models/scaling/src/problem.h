// The fit as a least-squares problem: free coefficients with their priors, and for each row the coefficients
// that it depends on. Departures of a network on a cluster touch that cell's rows only.
#pragma once

#include <span>
#include <vector>

#include "law.h"
#include "sextant/scaling/fit.h"

namespace sextant::scaling {

struct FreeValue {
  double* value;
  double mean;
  double deviation;
};

struct RowTerm {
  const double* value;
  double weight;
  Part part;
  int index;  // of the free value, in the cell if it is the cell's own; -1: it stays
  bool own;
};

struct RowTerms {
  std::vector<RowTerm> terms = {};
  double log_batch = 0;
  double log_time = 0;
  Links links = {};
  std::size_t cell = 0;
};

struct Problem {
  std::vector<FreeValue> global = {};
  std::vector<std::vector<FreeValue>> cells = {};
  std::vector<RowTerms> rows = {};
};

// Values of the model that the rows depend on become free: those of networks and cells, and in a new model
// also those of clusters and what all share. The model must stay where it is.
Problem make_problem(ScalingModel& model, std::span<const ScalingRow> rows, bool new_model);

LawPoint evaluate(const RowTerms& row);

// Moves the free values to where prior and rows agree best; returns the spread of log residuals.
double solve(Problem& problem);

}  // namespace sextant::scaling
