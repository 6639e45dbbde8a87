#include "sextant/analysis/transfer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sextant/core/error.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

constexpr std::size_t kLeastForLine = 4;

using Levels = std::vector<std::size_t>;

struct Cell {
  double total = 0;
  std::size_t completed = 0;
  [[nodiscard]] bool failed() const { return completed == 0; }
  [[nodiscard]] double value() const { return total / static_cast<double>(completed); }
};

// Configurations of one workload, in order.
using Workload = std::map<Levels, Cell>;

std::vector<Workload> workloads_of(const AnalysisTable& table, const AnalysisFactor& group) {
  std::vector<Workload> out(group.levels.size());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    Levels levels;
    for (std::size_t f = 0; f < table.factors.size(); ++f) {
      if (f != *table.group) levels.push_back(table.factors[f].level[i]);
    }
    Cell& cell = out[group.level[i]][levels];
    if (table.censored[i]) continue;
    if (!(table.y[i] > 0)) {
      throw InputError({}, "transfer between workloads needs positive responses",
                       "leave out `log` or `group`");
    }
    cell.total += table.y[i];
    ++cell.completed;
  }
  return out;
}

std::string text_of(const AnalysisTable& table, const Levels& levels) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    if (f == *table.group) continue;
    text += (text.empty() ? "" : " ") + table.factors[f].name + "=" + table.factors[f].levels[levels[next++]];
  }
  return text;
}

// A configuration in both workloads.
struct Common {
  const Levels* levels;
  Cell source;
  Cell target;
};

bool better(const Cell& a, const Cell& b, bool maximise) {
  if (a.failed() || b.failed()) return !a.failed() && b.failed();
  return maximise ? a.value() > b.value() : a.value() < b.value();
}

std::vector<std::size_t> best_first(const std::vector<Common>& common, Cell Common::*side, bool maximise) {
  std::vector<std::size_t> order(common.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return better(common[a].*side, common[b].*side, maximise);
  });
  return order;
}

double share_of_top(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b, std::size_t top) {
  std::size_t both = 0;
  for (std::size_t i = 0; i < top; ++i) {
    const auto end = b.begin() + static_cast<std::ptrdiff_t>(top);
    both += std::find(b.begin(), end, a[i]) != end ? 1U : 0U;
  }
  return static_cast<double>(both) / static_cast<double>(top);
}

void add_agreement(WorkloadTransfer& row, const std::vector<Common>& common) {
  std::vector<double> source;
  std::vector<double> target;
  for (const Common& c : common) {
    if (c.source.failed() || c.target.failed()) continue;
    source.push_back(c.source.value());
    target.push_back(c.target.value());
  }
  if (source.size() < 3 || stats::variance(source) == 0 || stats::variance(target) == 0) return;
  row.spearman = stats::spearman(source, target);
  row.kendall = stats::kendall(source, target);
  stats::Design design{.x = stats::Matrix(source.size(), 1), .y = target};
  for (std::size_t i = 0; i < source.size(); ++i) design.x(i, 0) = source[i];
  if (source.size() < kLeastForLine) return;
  const stats::OlsFit fit = fit_ols(design);
  row.shift = LinearShift{fit.coefficients[0], fit.intercept, fit.r2};
}

std::optional<WorkloadTransfer> row_of(const AnalysisTable& table, const Workload& source,
                                       const Workload& target, std::size_t top) {
  std::vector<Common> common;
  for (const auto& [levels, cell] : source) {
    if (const auto found = target.find(levels); found != target.end()) {
      common.push_back({&levels, cell, found->second});
    }
  }
  if (common.empty()) return std::nullopt;
  const std::vector<std::size_t> by_source = best_first(common, &Common::source, table.maximise);
  const std::vector<std::size_t> by_target = best_first(common, &Common::target, table.maximise);
  const Common& taken = common[by_source.front()];
  const Common& best = common[by_target.front()];
  if (taken.source.failed() || best.target.failed()) return std::nullopt;  // nothing completed
  WorkloadTransfer row{.source = {},
                       .target = {},
                       .common = common.size(),
                       .source_best = text_of(table, *taken.levels),
                       .target_best = text_of(table, *best.levels)};
  if (taken.target.failed()) {
    row.regret = std::numeric_limits<double>::infinity();
  } else {
    const double ratio = taken.target.value() / best.target.value();
    row.regret = (table.maximise ? 1 / ratio : ratio) - 1;
  }
  // Of all there are, the best half at most: that everything is among everything says nothing.
  row.top = std::clamp<std::size_t>(common.size() / 2, 1, top);
  row.top_share = share_of_top(by_source, by_target, row.top);
  add_agreement(row, common);
  return row;
}

}  // namespace

std::vector<WorkloadTransfer> transfer_table(const AnalysisTable& table, std::size_t top) {
  if (!table.group)
    throw InputError(at_field("group"), "transfer needs the column of the workloads", "as in `group` case");
  if (table.factors.size() < 2) {
    throw InputError(at_field("group"), "there is no factor besides the workload",
                     "configurations need at least one");
  }
  if (top < 1) throw InputError(at_field("top"), "workloads are compared by at least 1 configuration");
  const AnalysisFactor& group = table.factors[*table.group];
  const std::vector<Workload> workloads = workloads_of(table, group);
  std::vector<WorkloadTransfer> rows;
  for (std::size_t s = 0; s < workloads.size(); ++s) {
    for (std::size_t t = 0; t < workloads.size(); ++t) {
      if (s == t) continue;
      std::optional<WorkloadTransfer> row = row_of(table, workloads[s], workloads[t], top);
      if (!row) continue;
      row->source = group.levels[s];
      row->target = group.levels[t];
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

}  // namespace sextant::analysis
