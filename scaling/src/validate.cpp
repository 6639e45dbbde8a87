#include "validate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "predict.h"
#include "sextant/core/stats/quantiles.h"

namespace sextant {
namespace {

constexpr std::size_t kMostFolds = 6;
constexpr std::size_t kLeastLeftOut = 5;  // rows; fewer say nothing of a width
constexpr double kTail = 0.05;

using Rows = std::vector<ScalingRow>;

struct LeftOut {
  std::vector<double> errors = {};    // relative
  std::vector<double> residuals = {};  // of the logarithm, over the spread that was expected
};

void judge(const ScalingModel& model, const ScalingRow& row, LeftOut& out) {
  const LogStep step = log_step(model, row.at);
  const double residual = std::log(row.step.value) - step.centre;
  out.errors.push_back(std::abs(std::expm1(-residual)));
  out.residuals.push_back(residual / step.spread);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

ScalingWidth width_of(const LeftOut& out) {
  return {sample_quantile(out.residuals, kTail), sample_quantile(out.residuals, 1 - kTail)};
}

// Fitted to placements of up to half the largest, judged on the rest.
LeftOut leave_out_larger(std::span<const ScalingRow> rows) {
  int most = 0;
  for (const auto& row : rows) most = std::max(most, row.at.placement.count());
  Rows smaller;
  Rows larger;
  for (const auto& row : rows) (2 * row.at.placement.count() > most ? larger : smaller).push_back(row);
  LeftOut out;
  if (most < 4 || smaller.size() < kLeastLeftOut) return out;
  NoProgress quiet;
  const ScalingModel model = fit_scaling(smaller, {.validate = false}, quiet);
  for (const auto& row : larger) {
    const auto cell = model.cells.find({row.at.net, row.at.cluster});
    if (cell != model.cells.end() && cell->second.most_gpus > 1) judge(model, row, out);
  }
  return out;
}

// One fold: its networks are known by their one-GPU steps only.
void leave_out_networks(std::span<const ScalingRow> rows, const std::set<std::string>& fold, LeftOut& out) {
  Rows rest;
  Rows single;
  for (const auto& row : rows) {
    const bool left_out = fold.contains(row.at.net);
    if (!left_out) rest.push_back(row);
    if (left_out && row.at.placement.count() == 1) single.push_back(row);
  }
  if (single.empty() || rest.size() < kLeastLeftOut) return;
  NoProgress quiet;
  const ScalingModel model = adapt_scaling(fit_scaling(rest, {.validate = false}, quiet), single);
  for (const auto& row : rows) {
    if (!fold.contains(row.at.net) || row.at.placement.count() == 1) continue;
    const bool timed = model.cells.contains({row.at.net, row.at.cluster});
    if (timed) judge(model, row, out);
  }
}

std::vector<std::set<std::string>> folds_of(std::span<const ScalingRow> rows) {
  std::set<std::string> nets;
  for (const auto& row : rows) nets.insert(row.at.net);
  std::vector<std::set<std::string>> folds(std::min(kMostFolds, nets.size()));
  std::size_t n = 0;
  for (const auto& net : nets) folds[n++ % folds.size()].insert(net);
  return folds;
}

}  // namespace

void set_errors(ScalingModel& model, std::span<const ScalingRow> rows, Progress& progress) {
  const auto folds = folds_of(rows);
  const auto total = static_cast<std::int64_t>(folds.size() + 1);
  LeftOut fitted;
  for (const auto& row : rows) judge(model, row, fitted);
  model.errors.fitted = mean(fitted.errors);
  model.inside = width_of(fitted);
  model.more_gpus = model.new_network = model.inside;
  progress.step(0, total, "larger placements");
  if (const LeftOut out = leave_out_larger(rows); out.errors.size() >= kLeastLeftOut) {
    model.errors.more_gpus = mean(out.errors);
    model.more_gpus = width_of(out);
  }
  if (folds.size() < 2) return;
  LeftOut out;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    progress.step(static_cast<std::int64_t>(f + 1), total, *folds[f].begin());
    leave_out_networks(rows, folds[f], out);
  }
  if (out.errors.size() < kLeastLeftOut) return;
  model.errors.new_network = mean(out.errors);
  model.new_network = width_of(out);
}

}  // namespace sextant
