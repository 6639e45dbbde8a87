#include "analysis_tables.h"

#include <algorithm>
#include <cmath>

#include "analysis_cells.h"

namespace sextant::report {
namespace {

using namespace analysis_cells;  // NOLINT: the cells of this report

constexpr std::size_t kShownPairs = 20;
constexpr std::size_t kShownTransfers = 30;

Cell rank_cell(const std::optional<stats::RankCorrelation>& correlation) {
  return correlation ? number(correlation->value) : Cell();
}

std::string best_count_text(const analysis::ScalingCurve& curve, double largest) {
  if (!curve.best_count) return curve.law == "usl" ? "none up to infinity" : "";
  std::string text = short_number(*curve.best_count);
  if (*curve.best_count > largest) text += " (beyond " + short_number(largest) + ", the largest measured)";
  return text;
}

}  // namespace

Table interaction_table(const analysis::InteractionMeans& means) {
  Table table;
  table.columns = {{means.first, means.first}};
  for (const std::string& level : means.second_levels) {
    table.columns.push_back({means.second + "=" + level, means.second + "=" + level});
  }
  for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
    std::vector<Cell> row = {means.first_levels[i]};
    for (std::size_t j = 0; j < means.second_levels.size(); ++j) {
      row.push_back(means.counts(i, j) > 0 ? number(means.means(i, j)) : Cell());
    }
    table.rows.push_back(std::move(row));
  }
  table.notes.emplace_back("Means of the runs; without interaction the rows would differ by constants.");
  return table;
}

Table pairs_table(const analysis::Analysis& a, bool all) {
  Table table;
  table.columns = {{"factor", "factor"},
                   {"a", "a"},
                   {"b", "b"},
                   {"difference", "a - b"},
                   {"interval", "interval"},
                   {"p", "p (Tukey)"},
                   {"verdict", "verdict"}};
  std::vector<const analysis::LevelPair*> pairs;
  for (const analysis::LevelPair& pair : a.pairs.pairs) pairs.push_back(&pair);
  if (!all && pairs.size() > kShownPairs) {
    std::ranges::stable_sort(pairs, {}, [](const analysis::LevelPair* pair) { return pair->p; });
    table.notes.push_back("The " + std::to_string(kShownPairs) + " clearest of " +
                          std::to_string(pairs.size()) + " pairs; `all` shows them all.");
    pairs.resize(kShownPairs);
  }
  for (const analysis::LevelPair* pair : pairs) {
    table.rows.push_back({pair->factor, pair->a, pair->b, number(pair->difference), range(pair->interval),
                          p_value(pair->p), verdict(pair->p, a.level)});
  }
  table.notes.emplace_back("p and intervals hold for all pairs of a factor together.");
  const auto by_anova = [&](const analysis::LevelPair& pair) { return pair.order == a.anova.order; };
  if (std::ranges::any_of(a.pairs.pairs, by_anova)) {
    table.notes.push_back("Scatter: residual of the analysis of variance, mean square " +
                          short_number(a.anova.residual_ms()) + " with " + short_number(a.anova.residual_df) +
                          " degrees of freedom.");
  }
  for (const std::string& note : a.pairs.notes) table.notes.push_back("Note: " + note + ".");
  return table;
}

Table transfer_table_of(const analysis::Analysis& a, bool all) {
  Table table;
  table.columns = {{"source", "optimum of"},
                   {"target", "used for"},
                   {"common", "configurations"},
                   {"regret", "regret"},
                   {"spearman", "Spearman"},
                   {"kendall", "Kendall"},
                   {"top_share", "of the best shared"},
                   {"shift_r2", "line R^2"},
                   {"configuration", "configuration"}};
  std::vector<const analysis::WorkloadTransfer*> rows;
  for (const analysis::WorkloadTransfer& row : a.transfer) rows.push_back(&row);
  if (!all && rows.size() > kShownTransfers) {
    std::ranges::stable_sort(rows, std::greater<>{},
                             [](const analysis::WorkloadTransfer* row) { return row->regret; });
    table.notes.push_back("The " + std::to_string(kShownTransfers) + " largest regrets of " +
                          std::to_string(rows.size()) + " pairs; `all` shows them all.");
    rows.resize(kShownTransfers);
  }
  for (const analysis::WorkloadTransfer* row : rows) {
    table.rows.push_back({row->source, row->target, count(row->common),
                          std::isinf(row->regret) ? Cell("failed") : percent_cell(row->regret),
                          rank_cell(row->spearman), rank_cell(row->kendall), percent_cell(row->top_share),
                          row->shift ? number(row->shift->r2) : Cell(), row->source_best});
  }
  if (!a.transfer.empty()) {
    table.notes.push_back("Of the best shared: top " + std::to_string(a.transfer.front().top) +
                          ". A line turns one workload into the other where its R^2 is above 0.8.");
  }
  return table;
}

Table scaling_table(const analysis::Analysis& a, bool all) {
  Table table;
  table.columns = {{"workload", "workload"},
                   {"law", "law"},
                   {"rate", "of one"},
                   {"serial", "serial"},
                   {"crosstalk", "crosstalk"},
                   {"relative_error", "rms error"},
                   {"best_count", "best count"},
                   {"best_count_interval", "interval"},
                   {"half_count", "half efficiency at"},
                   {"aicc", "AICc"}};
  for (const analysis::WorkloadScaling& workload : a.scaling) {
    for (const analysis::ScalingCurve& curve : workload.fits.curves) {
      const bool first = &curve == &workload.fits.curves.front();
      if (!all && !first && curve.law != "usl") continue;
      table.rows.push_back(
          {workload.workload.empty() ? Cell("all") : Cell(workload.workload), curve.law, number(curve.rate),
           number(curve.serial), number(curve.crosstalk), percent_cell(curve.relative_error),
           best_count_text(curve, workload.fits.largest_count),
           curve.best_count_interval ? range(*curve.best_count_interval) : Cell(),
           curve.half_count ? number(*curve.half_count) : Cell(), curve.aicc ? number(*curve.aicc) : Cell()});
    }
  }
  table.notes.emplace_back(
      "Best law by AICc first. Runs are taken as they are: other factors that vary are scatter.");
  return table;
}

}  // namespace sextant::report
