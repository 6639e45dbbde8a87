#include "sextant/report/analysis_report.h"

#include <algorithm>

#include "analysis_cells.h"
#include "analysis_tables.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using namespace analysis_cells;  // NOLINT: the cells of this report

constexpr std::size_t kShownColumns = 8;

Table anova_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {
      {"term", "term"},         {"ss", "sum of squares"},     {"df", "df"},          {"f", "F"}, {"p", "p"},
      {"eta_squared", "eta^2"}, {"omega_squared", "omega^2"}, {"verdict", "verdict"}};
  for (const analysis::AnovaRow& row : a.anova.rows) {
    table.rows.push_back({row.term, number(row.ss), static_cast<std::int64_t>(row.df),
                          row.f ? number(*row.f) : Cell(), p_value(row.p), number(row.eta_squared),
                          number(row.omega_squared),
                          row.df == 0 ? Cell("determined by others") : verdict(row.p, a.level)});
  }
  table.rows.push_back({"residual",
                        number(a.anova.residual_ss),
                        static_cast<std::int64_t>(a.anova.residual_df),
                        {},
                        {},
                        number(a.anova.residual_ss / a.anova.total_ss),
                        {},
                        {}});
  std::string type = a.anova.type == analysis::SumsOfSquares::type_two
                         ? "II (given all terms that do not contain it)"
                         : "III (given all other terms)";
  if (a.anova.balanced) type += "; the runs are balanced, all types agree";
  table.notes.push_back("Sums of squares of type " + type + ". R^2 " + short_number(a.anova.r2) +
                        ", adjusted " + short_number(a.anova.adjusted_r2) + ".");
  for (const std::string& finding : a.checks.findings) table.notes.push_back("Check: " + finding + ".");
  for (const std::string& note : a.anova.notes) table.notes.push_back("Note: " + note + ".");
  for (const std::string& note : a.notes) table.notes.push_back("Note: " + note + ".");
  return table;
}

Table ranks_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {{"factor", "factor"},   {"h", "H"},
                   {"df", "df"},           {"p", "p"},
                   {"p_holm", "p (Holm)"}, {"epsilon_squared", "epsilon^2"},
                   {"verdict", "verdict"}};
  bool rough = false;
  for (const analysis::FactorRanks& row : a.ranks) {
    table.rows.push_back({row.factor, number(row.test.h), static_cast<std::int64_t>(row.test.df),
                          p_value(row.test.p), p_value(row.p_holm), number(row.test.epsilon_squared),
                          verdict(row.p_holm, a.level)});
    rough = rough || row.test.small_groups;
  }
  const bool blocked = std::ranges::any_of(a.ranks, &analysis::FactorRanks::blocked);
  table.notes.push_back("Kruskal-Wallis with ties" +
                        std::string(blocked ? ", within workloads (van Elteren)" : "") +
                        "; each factor alone, the others are not taken out.");
  if (rough) table.notes.emplace_back("Some levels have fewer than five runs: their p is rough.");
  return table;
}

// Names of the factors whose means are from a simpler model than that of the analysis of variance.
std::string effects_without_interactions(const analysis::Analysis& a) {
  std::vector<std::string> names;
  for (const analysis::MainEffect& effect : a.effects) {
    if (effect.order < a.anova.order) names.push_back(effect.factor);
  }
  return join(names, ", ");
}

Table effects_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {{"factor", "factor"}, {"level", "level"},       {"n", "n"},
                   {"mean", "mean"},     {"adjusted", "adjusted"}, {"interval", "interval of adjusted"}};
  for (const analysis::MainEffect& effect : a.effects) {
    if (effect.covariate) {
      table.rows.push_back(
          {effect.factor, "per unit", {}, {}, number(effect.slope), range(effect.slope_interval)});
    }
    for (const analysis::LevelMean& level : effect.levels) {
      table.rows.push_back({effect.factor, level.level, count(level.n), number(level.mean),
                            level.estimable ? number(level.adjusted) : Cell(),
                            level.estimable ? range(level.interval) : Cell("not estimable")});
    }
  }
  const bool interactions = a.anova.order > 1;
  table.notes.push_back("Adjusted: every level of the other factors equally frequent; by the model of the " +
                        std::string("analysis of variance, ") +
                        (interactions ? "interactions included." : "which has no interactions."));
  const std::string others = effects_without_interactions(a);
  if (!others.empty()) {
    table.notes.push_back("Without interactions, as some combinations of levels have no run: " + others +
                          ".");
  }
  return table;
}

Table importance_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {
      {"factor", "factor"}, {"share", "share"}, {"alone", "alone"}, {"last", "beyond the others"}};
  for (const analysis::FactorImportance& factor : a.importance->factors) {
    table.rows.push_back(
        {factor.factor, percent_cell(factor.share), percent_cell(factor.alone), percent_cell(factor.last)});
  }
  table.notes.push_back("Shares of the variance add up to " + percent_cell(a.importance->explained).shown +
                        " explained" +
                        (a.importance->adjusted ? " (adjusted R^2)." : " (R^2, not adjusted)."));
  return table;
}

Table regressions_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {{"factor", "factor"},
                   {"n", "n"},
                   {"slope", "slope"},
                   {"interval", "interval"},
                   {"intercept", "intercept"},
                   {"t", "t"},
                   {"p", "p"},
                   {"p_holm", "p (Holm)"},
                   {"r2", "R^2"},
                   {"verdict", "verdict"}};
  for (const analysis::FactorRegression& row : a.regressions) {
    table.rows.push_back({row.factor, count(row.n), number(row.slope), range(row.interval),
                          number(row.intercept), number(row.t), p_value(row.p), p_value(row.p_holm),
                          number(row.r2), verdict(row.p_holm, a.level)});
  }
  return table;
}

Table repetitions_table(const analysis::Analysis& a) {
  Table table;
  table.columns = {
      {"relative", "difference"}, {"difference", "in the response"}, {"repetitions", "runs of each"}};
  for (const analysis::RepetitionRow& row : a.repetitions->rows) {
    table.rows.push_back({percent_cell(row.relative), number(row.difference),
                          row.repetitions ? Cell(*row.repetitions) : Cell("more than a million")});
  }
  table.notes.push_back("Two configurations, t test, power " + short_number(a.repetitions->power) +
                        "; standard deviation of a run " + short_number(a.repetitions->sd) + " from " +
                        short_number(a.repetitions->df) + " degrees of freedom.");
  return table;
}

}  // namespace

std::vector<std::string> analysis_section_ids() {
  return {"anova", "ranks",      "importance", "effects", "interactions",
          "pairs", "regression", "transfer",   "scaling", "repetitions"};
}

std::vector<AnalysisSection> analysis_sections(const analysis::Analysis& a, bool all) {
  std::vector<AnalysisSection> out;
  const auto add = [&](const char* id, const std::string& title, Table table) {
    if (!table.rows.empty()) out.push_back({id, title, std::move(table)});
  };
  const bool fails = !a.checks.normal || !a.checks.equal_variances;
  add("anova", "What explains " + a.table.response, anova_table(a));
  if (all || fails || a.censored > 0) add("ranks", "By ranks, whatever the distribution", ranks_table(a));
  if (a.importance) add("importance", "Importance", importance_table(a));
  add("effects", "Effects of levels", effects_table(a));
  for (std::size_t i = 0; i < a.interactions.size() && (all || i < 2); ++i) {
    const analysis::InteractionMeans& means = a.interactions[i];
    if (!all && means.second_levels.size() > kShownColumns) continue;  // as a picture, or in JSON
    add("interactions", "Interaction of " + means.first + " and " + means.second, interaction_table(means));
  }
  add("pairs", "Pairs of levels (Tukey)", pairs_table(a, all));
  add("regression", "Straight lines, each factor alone", regressions_table(a));
  add("transfer", "Does the optimum of one workload hold for another?", transfer_table_of(a, all));
  add("scaling", "Diminishing returns", scaling_table(a, all));
  if (a.repetitions) add("repetitions", "Repetitions that show a difference", repetitions_table(a));
  return out;
}

}  // namespace sextant::report
