#include "validate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "predict.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/quantiles.h"

namespace sextant::scaling {
namespace {

constexpr std::size_t kMostFolds = 6;
constexpr std::size_t kLeastLeftOut = 5;  // rows; fewer say nothing of a width
constexpr double kTail = 0.05;
constexpr double kNetworkPriorRows = 5;  // the mean of all networks counts as so many rows of each

using Rows = std::vector<ScalingRow>;

struct Judged {
  std::string net;
  double residual = 0;  // of the logarithm
  double spread = 0;    // that was expected of it
};
using LeftOut = std::vector<Judged>;

void judge(const ScalingModel& model, const ScalingRow& row, LeftOut& out) {
  const LogStep step = log_step(model, row.at);
  out.push_back({row.at.net, std::log(row.step.value) - step.centre, step.spread});
}

double mean_error(const LeftOut& out) {
  double sum = 0;
  for (const auto& row : out) sum += std::abs(std::expm1(-row.residual));
  return sum / static_cast<double>(out.size());
}

ScalingWidth width_of(const LeftOut& out) {
  std::vector<double> ratios;
  for (const auto& row : out) ratios.push_back(row.residual / row.spread);
  // Never narrower than the spread itself, however well a few rows were met.
  return {std::min(stats::sample_quantile(ratios, kTail), -1.0),
          std::max(stats::sample_quantile(ratios, 1 - kTail), 1.0)};
}

// How far larger placements of each network were off, pulled to the mean of all where rows are few.
void set_growth(ScalingModel& model, LeftOut& out) {
  struct Sum {
    double squares = 0;
    double rows = 0;
  };
  std::map<std::string, Sum> nets;
  Sum all;
  for (const auto& row : out) {
    const double square = std::min(row.residual * row.residual, 1.0);
    for (Sum* sum : {&nets[row.net], &all}) {
      sum->squares += square;
      sum->rows += 1;
    }
  }
  const double usual = all.squares / all.rows;
  for (auto& [name, net] : model.nets) {
    const Sum& own = nets[name];
    net.growth = std::sqrt((own.squares + kNetworkPriorRows * usual) / (own.rows + kNetworkPriorRows));
  }
  for (auto& row : out) row.spread = std::hypot(row.spread, model.nets.at(row.net).growth);
}

// The doubt about one more network of few: Student's distribution; the prior counts as one of them.
ScalingWidth width_of_few(std::size_t nets) {
  const double t = two_sided_quantile(stats::StudentT{static_cast<double>(nets)}, 1 - 2 * kTail);
  return {-t, t};
}

// Fitted to placements of up to two thirds of the largest, judged on the rest.
LeftOut leave_out_larger(std::span<const ScalingRow> rows) {
  std::int64_t most = 0;
  for (const auto& row : rows) most = std::max(most, row.at.placement.total());
  Rows smaller;
  Rows larger;
  for (const auto& row : rows) (3 * row.at.placement.total() > 2 * most ? larger : smaller).push_back(row);
  LeftOut out;
  if (most < 4 || smaller.size() < kLeastLeftOut) return out;
  const ScalingModel model = fit_law(smaller);
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
    if (left_out && row.at.placement.total() == 1) single.push_back(row);
  }
  if (single.empty() || rest.size() < kLeastLeftOut) return;
  const ScalingModel model = adapt_scaling(fit_law(rest), single);
  for (const auto& row : rows) {
    if (!fold.contains(row.at.net) || row.at.placement.total() == 1) continue;
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

void set_widths(ScalingModel& model, std::span<const ScalingRow> rows) {
  LeftOut fitted;
  for (const auto& row : rows) judge(model, row, fitted);
  model.errors.fitted = mean_error(fitted);
  model.inside = model.more_gpus = width_of(fitted);
  if (LeftOut out = leave_out_larger(rows); out.size() >= kLeastLeftOut) {
    model.errors.more_gpus = mean_error(out);
    set_growth(model, out);
    model.more_gpus = width_of(out);
  }
  if (model.nets.size() > 1) model.new_network = width_of_few(model.nets.size());
}

void set_network_error(ScalingModel& model, std::span<const ScalingRow> rows, Progress& progress) {
  const auto folds = folds_of(rows);
  if (folds.size() < 2) return;
  LeftOut out;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    progress.step(static_cast<std::int64_t>(f), static_cast<std::int64_t>(folds.size()), *folds[f].begin());
    leave_out_networks(rows, folds[f], out);
  }
  if (out.size() >= kLeastLeftOut) model.errors.new_network = mean_error(out);
}

}  // namespace sextant::scaling
