#include "sextant/scaling/fit.h"

#include <algorithm>
#include <cmath>

#include "predict.h"
#include "problem.h"
#include "sextant/core/error.h"
#include "sextant/stats/quantiles.h"
#include "traits.h"
#include "validate.h"

namespace sextant::scaling {
namespace {

constexpr std::size_t kLeastRows = 3;
constexpr double kPriorRows = 20;    // the spread of all rows counts as so many rows of a cell
constexpr double kNormal90 = 1.645;  // half of the 90 % interval of a normal distribution

void check_each(std::span<const ScalingRow> rows) {
  for (const auto& row : rows) {
    const bool good = row.step.value > 0 && std::isfinite(row.step.value) && row.at.batch > 0 &&
                      std::isfinite(row.at.batch) && row.at.placement.total() > 0;
    if (!good) throw InputError("a timed step has no time, no batch or no GPU");
  }
}

void check(std::span<const ScalingRow> rows) {
  check_each(rows);
  if (rows.size() >= kLeastRows) return;
  throw InputError(std::to_string(rows.size()) + " timed steps are too few: at least " +
                   std::to_string(kLeastRows));
}

void set_ranges(ScalingModel& model, std::span<const ScalingRow> rows) {
  for (const auto& row : rows) {
    const std::int64_t count = row.at.placement.total();
    ScalingCluster& cluster = model.clusters[row.at.cluster];
    ScalingCell& cell = model.cells[{row.at.net, row.at.cluster}];
    cluster.most_gpus = std::max(cluster.most_gpus, count);
    cluster.most_nodes = std::max(cluster.most_nodes, row.at.placement.nodes());
    cell.most_gpus = std::max(cell.most_gpus, count);
    ++cell.rows;
    if (count > 1) model.nets[row.at.net].parallel = true;
  }
}

// Robust, and pulled to the spread of all rows where a cell has few.
void set_cell_spreads(ScalingModel& model, const Problem& problem, std::span<const ScalingRow> rows) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> sizes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double residual = problem.rows[i].log_time - evaluate(problem.rows[i]).log_time;
    sizes[{rows[i].at.net, rows[i].at.cluster}].push_back(std::abs(residual));
  }
  for (const auto& [key, all] : sizes) {
    ScalingCell& cell = model.cells[key];
    cell.spread = model.spread;
    if (cell.most_gpus < 2) continue;  // one-GPU steps are met exactly, which says nothing of others
    const double own = stats::sample_quantile(all, 0.9) / kNormal90;
    const auto n = static_cast<double>(all.size());
    cell.spread = std::sqrt((n * own * own + kPriorRows * model.spread * model.spread) / (n + kPriorRows));
  }
}

void fit_rows(ScalingModel& model, std::span<const ScalingRow> rows, bool new_model) {
  set_traits(model, rows, new_model);
  set_ranges(model, rows);
  Problem problem = make_problem(model, rows, new_model);
  const double spread = solve(problem);
  if (new_model) {
    model.spread = spread;
    model.rows = static_cast<int>(rows.size());
  }
  set_cell_spreads(model, problem, rows);
}

}  // namespace

ScalingModel fit_law(std::span<const ScalingRow> rows) {
  ScalingModel model;
  fit_rows(model, rows, true);
  return model;
}

ScalingModel fit_scaling(std::span<const ScalingRow> rows, const ScalingFitOptions& options,
                         Progress& progress) {
  check(rows);
  ScalingModel model = fit_law(rows);
  set_widths(model, rows);
  if (options.network_error) set_network_error(model, rows, progress);
  return model;
}

ScalingModel adapt_scaling(ScalingModel model, std::span<const ScalingRow> rows) {
  if (rows.empty()) return model;
  check_each(rows);
  fit_rows(model, rows, false);
  return model;
}

}  // namespace sextant::scaling
