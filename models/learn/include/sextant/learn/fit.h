// Fitting with nested validation: inner folds of the training rows choose parameters and method, the
// outer rows only measure the error of that whole procedure, and the final model uses every row.
// The result is the same for any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/learn/model.h"
#include "sextant/learn/validation.h"

namespace sextant::learn {

struct FitRequest {
  DatasetRequest data;
  std::vector<std::string> methods = {"auto"};  // several: the best of them is the model
  MethodSettings fixed = {};                    // taken out of the search
  Validation validation;
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: as many as there are processors
};

// A left-out row: what was predicted without it.
struct OuterRow {
  std::size_t row = 0;
  double measured = 0;
  double predicted = 0;
  bool extrapolating = false;
};

// One line of the table of methods; "auto" is the procedure that picks among them in every fold.
struct MethodReport {
  std::string method;
  MethodSettings parameters;  // chosen on all rows
  MethodSettings chosen;      // those of them that were searched or set
  Metrics metrics;            // on the outer rows
  std::vector<OuterRow> outer;
  std::string failure;  // why this method could not be fitted; the rest is empty then
};

struct FitReport {
  Model model;
  std::vector<MethodReport> methods;
  std::vector<OuterRow> outer;  // of the procedure that made the model
  std::vector<std::string> notes;
};

FitReport fit_model(const DataTables& tables, const FitRequest& request, Progress& progress);

struct EvaluatedRow {
  double measured = 0;
  RowPrediction prediction;
};
struct Evaluation {
  Metrics metrics;
  std::size_t extrapolating = 0;
  std::vector<EvaluatedRow> rows;
};
Evaluation evaluate_model(const Model& model, const DataTables& tables);

}  // namespace sextant::learn
