// Nested validation (Varma and Simon 2006): within the training rows of every outer split, inner splits
// choose the parameters of each method; the outer rows then measure what was chosen without them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/learn/fit.h"

namespace sextant::learn {

struct MethodSearch {
  const MethodInfo* method = nullptr;
  std::vector<MethodSettings> grid;  // at least one point
};

struct NestedRequest {
  const Dataset& data;
  const std::vector<MethodSearch>& searches;
  Validation validation;
  SplitKeys keys;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
};

// The best point of one method within one set of training rows.
struct Choice {
  std::size_t point = 0;
  double score = 0;     // inner error; 0 when there was nothing to choose
  std::string failure;  // the method cannot be fitted on these rows
};

struct OuterFold {
  std::vector<Choice> choices;              // by method
  std::vector<std::vector<OuterRow>> rows;  // by method: the left-out rows of this fold
  // By method, only when this is the single fold: rows that inner splits left out, to calibrate on.
  std::vector<std::vector<OuterRow>> inner_rows;
};

struct Nested {
  std::vector<OuterFold> folds;
  std::vector<Choice> final_choices;  // on all rows, by method
  std::vector<std::string> failures;  // by method; empty: it could be fitted everywhere
};

Nested run_nested(const NestedRequest& request, Progress& progress);

// The method with the smallest inner error among those that could be fitted everywhere.
std::size_t best_method(const std::vector<Choice>& choices, const std::vector<std::string>& failures);

}  // namespace sextant::learn
