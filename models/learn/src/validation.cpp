#include "sextant/learn/validation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "sextant/core/rng.h"
#include "sextant/core/text.h"

namespace sextant::learn {
namespace {

constexpr std::size_t kInnerFolds = 4;
constexpr const char* kForms = "kfold:K, leave-group-out:COLUMN or extrapolate:COLUMN:VALUE";

using Rows = std::vector<std::size_t>;

// Row rows[i] goes to fold `fold_of[i]`; folds that would be empty, or the whole, are left out.
std::vector<Split> by_fold(std::span<const std::size_t> rows, const Rows& fold_of, std::size_t folds) {
  std::vector<Split> splits;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Split split;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      (fold_of[i] == fold ? split.test : split.train).push_back(rows[i]);
    }
    if (!split.test.empty() && !split.train.empty()) splits.push_back(std::move(split));
  }
  return splits;
}

// 0, 1, ..., count - 1 dealt to folds in random order.
Rows dealt(std::size_t count, std::size_t folds, Rng rng) {
  Rows order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  Rows fold_of(count);
  for (std::size_t i = 0; i < count; ++i) fold_of[order[i]] = i % folds;
  return fold_of;
}

std::vector<Split> random_folds(std::span<const std::size_t> rows, std::size_t folds, const Rng& rng) {
  return by_fold(rows, dealt(rows.size(), folds, rng), folds);
}

// Groups stay whole; with more groups than `most`, several share a fold.
std::vector<Split> group_folds(std::span<const std::size_t> rows, const Rows& groups, std::size_t most,
                               const Rng& rng) {
  std::map<std::size_t, std::size_t> number;
  for (const std::size_t row : rows) number.emplace(groups[row], number.size());
  const std::size_t folds = std::min(most, number.size());
  Rows fold_of_group(number.size());
  if (folds == number.size()) {
    std::iota(fold_of_group.begin(), fold_of_group.end(), 0U);
  } else {
    fold_of_group = dealt(number.size(), folds, rng);
  }
  Rows fold_of;
  for (const std::size_t row : rows) fold_of.push_back(fold_of_group[number.at(groups[row])]);
  return by_fold(rows, fold_of, folds);
}

Split split_above(std::span<const std::size_t> rows, const std::vector<double>& values, double bound) {
  Split split;
  for (const std::size_t row : rows) (values[row] > bound ? split.test : split.train).push_back(row);
  return split;
}

// The upper third of the distinct values, in at most two cuts.
std::vector<Split> inner_extrapolation(std::span<const std::size_t> rows, const std::vector<double>& values) {
  std::set<double> distinct;
  for (const std::size_t row : rows) distinct.insert(values[row]);
  const std::vector<double> sorted(distinct.begin(), distinct.end());
  std::vector<Split> splits;
  if (sorted.size() < 2) return splits;
  const std::size_t third = std::max<std::size_t>(sorted.size() / 3, 1);
  const std::set<std::size_t> cuts = {sorted.size() - 1 - third, sorted.size() - 2};
  for (const std::size_t cut : cuts) splits.push_back(split_above(rows, values, sorted[cut]));
  return splits;
}

Rows all_rows(std::size_t count) {
  Rows rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

}  // namespace

Validation parse_validation(const std::string& text, const SourcePos& at) {
  const auto parts = split(text, ':');
  const std::string kind = to_lower(parts.front());
  Validation out;
  if (kind == "kfold" && parts.size() == 2) {
    const auto folds = to_integer(parts[1]);
    if (!folds || *folds < 2 || *folds > 100000) {
      throw InputError(at, "'" + parts[1] + "' is not a number of folds", "a whole number of at least 2");
    }
    out.folds = static_cast<std::size_t>(*folds);
    return out;
  }
  if (kind == "leave-group-out" && parts.size() == 2 && !parts[1].empty()) {
    out.kind = ValidationKind::leave_group_out;
    out.column = parts[1];
    return out;
  }
  if (kind == "extrapolate" && parts.size() == 3 && !parts[1].empty()) {
    const auto bound = to_number(parts[2]);
    if (!bound) throw InputError(at, "'" + parts[2] + "' is not a number", kForms);
    out.kind = ValidationKind::extrapolate;
    out.column = parts[1];
    out.bound = *bound;
    return out;
  }
  throw InputError(at, "'" + text + "' is no way to validate", kForms);
}

std::string to_string(const Validation& validation) {
  switch (validation.kind) {
    case ValidationKind::leave_group_out:
      return "leave-group-out:" + validation.column;
    case ValidationKind::extrapolate:
      return "extrapolate:" + validation.column + ":" + number_text(validation.bound);
    case ValidationKind::kfold:
      break;
  }
  return "kfold:" + std::to_string(validation.folds);
}

SplitKeys split_keys(const DataTables& tables, const Validation& validation) {
  SplitKeys keys;
  if (validation.kind == ValidationKind::kfold) return keys;
  const std::size_t column = tables.column(validation.column);
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < tables.rows(); ++i) {
    if (validation.kind == ValidationKind::extrapolate) {
      keys.values.push_back(tables.number(i, column));
    } else {
      keys.groups.push_back(number.emplace(tables.text(i, column), number.size()).first->second);
    }
  }
  return keys;
}

std::vector<Split> outer_splits(const Validation& validation, const SplitKeys& keys, std::size_t rows,
                                std::uint64_t seed) {
  const SourcePos at = at_field("validate");
  const Rng rng = Rng(seed).stream("outer-folds");
  const Rows all = all_rows(rows);
  if (validation.kind == ValidationKind::kfold) {
    if (validation.folds > rows) {
      throw InputError(
          at, std::to_string(validation.folds) + " folds cannot be made of " + std::to_string(rows) + " rows",
          rows < 2 ? "add rows" : "take fewer folds, as in kfold:" + std::to_string(rows));
    }
    return random_folds(all, validation.folds, rng);
  }
  if (validation.kind == ValidationKind::leave_group_out) {
    auto splits = group_folds(all, keys.groups, rows, rng);
    if (splits.empty()) {
      throw InputError(at, "column '" + validation.column + "' has one group only",
                       "leave-group-out needs two or more");
    }
    return splits;
  }
  Split cut = split_above(all, keys.values, validation.bound);
  if (cut.train.empty() || cut.test.empty()) {
    const auto [low, high] = std::ranges::minmax(keys.values);
    throw InputError(
        at,
        std::string(cut.train.empty() ? "no row trains" : "no row tests") + " with the cut at " +
            number_text(validation.bound),
        "'" + validation.column + "' runs from " + number_text(low) + " to " + number_text(high));
  }
  return {std::move(cut)};
}

std::vector<Split> inner_splits(const Validation& validation, const SplitKeys& keys,
                                std::span<const std::size_t> train, std::uint64_t seed) {
  const Rng rng = Rng(seed).stream("inner-folds");
  std::vector<Split> splits;
  if (validation.kind == ValidationKind::leave_group_out) {
    splits = group_folds(train, keys.groups, kInnerFolds, rng);
  }
  if (validation.kind == ValidationKind::extrapolate) splits = inner_extrapolation(train, keys.values);
  if (splits.empty()) splits = random_folds(train, std::min(kInnerFolds, train.size()), rng);
  return splits;
}

}  // namespace sextant::learn
