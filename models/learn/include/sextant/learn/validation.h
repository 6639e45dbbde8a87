// Which rows train and which test. Random folds answer "another run like these"; groups and
// extrapolation answer "something never measured", which is what a prediction is for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/learn/dataset.h"

namespace sextant::learn {

enum class ValidationKind { kfold, leave_group_out, extrapolate };

struct Validation {
  ValidationKind kind = ValidationKind::kfold;
  std::size_t folds = 5;  // kfold
  std::string column;     // leave-group-out, extrapolate
  double bound = 0;       // extrapolate: train on values up to it, test above
};

// "kfold:5", "leave-group-out:gpu", "extrapolate:batch:64"
Validation parse_validation(const std::string& text, const SourcePos& at = at_field("validate"));
std::string to_string(const Validation& validation);

// What the splits are made of: groups by number for leave-group-out, values for extrapolate.
struct SplitKeys {
  std::vector<std::size_t> groups = {};
  std::vector<double> values = {};
};
SplitKeys split_keys(const DataTables& tables, const Validation& validation);

struct Split {
  std::vector<std::size_t> train;
  std::vector<std::size_t> test;
};

// The outer splits of all `rows`. InputError when there is nothing to train on or to test on.
std::vector<Split> outer_splits(const Validation& validation, const SplitKeys& keys, std::size_t rows,
                                std::uint64_t seed);

// Splits of the training rows of one outer split, in the same spirit: groups stay whole, the largest
// values are extrapolated to. They choose; the outer test rows never do.
std::vector<Split> inner_splits(const Validation& validation, const SplitKeys& keys,
                                std::span<const std::size_t> train, std::uint64_t seed);

}  // namespace sextant::learn
