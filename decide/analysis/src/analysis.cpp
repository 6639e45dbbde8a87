#include "sextant/analysis/analysis.h"

#include <algorithm>
#include <cmath>

#include "run_cells.h"
#include "sextant/analysis/aligned_ranks.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/power.h"
#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

constexpr std::size_t kMostInteractions = 6;
constexpr double kAlmostAll = 0.9999;  // adjusted R^2 that measured runs hardly have

struct PureError {
  double ss = 0;
  double df = 0;
};

// Scatter of runs that are alike in every factor.
PureError pure_error(const AnalysisTable& table) {
  const analysis::RunCells cells = analysis::run_cells(table);
  std::vector<std::vector<double>> values(cells.size.size());
  for (std::size_t i = 0; i < table.rows(); ++i) values[cells.of[i]].push_back(table.y[i]);
  PureError out;
  for (const std::vector<double>& alike : values) {
    const auto n = static_cast<double>(alike.size());
    if (alike.size() < 2) continue;
    out.ss += stats::variance(alike) * (n - 1);
    out.df += n - 1;
  }
  return out;
}

std::optional<Repetitions> repetitions_of(const Analysis& analysis, const AnalysisOptions& options) {
  const PureError pure = pure_error(analysis.table);
  Repetitions out{.df = pure.df, .pure = pure.df > 0, .power = options.power};
  const double ms = out.pure ? pure.ss / pure.df : analysis.anova.residual_ms();
  if (!out.pure) out.df = analysis.anova.residual_df;
  if (!(ms > 0) || !(out.df > 0)) return std::nullopt;
  out.sd = std::sqrt(ms);
  const double centre = std::abs(stats::mean(analysis.table.y));
  for (const double relative : options.differences) {
    // A ratio of 1 + relative is a difference of logarithms.
    const double difference = analysis.log ? std::log1p(relative) : relative * centre;
    if (!(difference > 0)) continue;
    RepetitionRow row{.relative = relative, .difference = difference};
    row.repetitions = stats::repetitions_for({.difference = difference, .sd = out.sd, .level = options.level},
                                             options.power);
    out.rows.push_back(row);
  }
  if (out.rows.empty()) return std::nullopt;
  return out;
}

// Across: not the workload, then the one that is a number, then the one with more levels; a line per level of
// the other.
InteractionMeans means_of(const AnalysisTable& table, std::size_t a, std::size_t b) {
  const AnalysisFactor& first = table.factors[a];
  const AnalysisFactor& second = table.factors[b];
  const bool turn =
      first.numeric != second.numeric ? second.numeric : second.levels.size() > first.levels.size();
  if (table.group == b) return interaction_means(table, a, b);
  return turn || table.group == a ? interaction_means(table, b, a) : interaction_means(table, a, b);
}

std::vector<InteractionMeans> clear_interactions(const Analysis& analysis) {
  std::vector<const AnovaRow*> rows;
  for (const AnovaRow& row : analysis.anova.rows) {
    if (row.factors.size() != 2 || (row.p && !row.clear(analysis.level)) || row.df == 0) continue;
    const auto levels = [&](std::size_t f) { return !analysis.table.factors[f].covariate; };
    if (std::ranges::all_of(row.factors, levels)) rows.push_back(&row);
  }
  std::ranges::stable_sort(rows, {}, [](const AnovaRow* row) { return row->p.value_or(-row->eta_squared); });
  std::vector<InteractionMeans> out;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostInteractions); ++i) {
    out.push_back(means_of(analysis.table, rows[i]->factors[0], rows[i]->factors[1]));
  }
  return out;
}

// Differences of a factor's levels are averages where another factor changes them.
void note_interactions(Analysis& analysis) {
  for (const AnovaRow& row : analysis.anova.rows) {
    if (row.factors.size() < 2 || !row.clear(analysis.level)) continue;
    analysis.pairs.notes.push_back("there is evidence of " + row.term +
                                   ": differences between levels are averages over the other factor");
    return;
  }
}

AnalysisTable natural(AnalysisTable table, bool log) {
  if (log) {
    for (double& y : table.y) y = std::exp(y);
  }
  return table;
}

void note_aliases(Analysis& analysis) {
  if (analysis.aliases.empty()) return;
  std::vector<std::string> texts;
  for (const EffectAlias& alias : analysis.aliases) {
    texts.push_back(alias.factor + " with " + alias.interactions.front() +
                    (alias.interactions.size() > 1 ? " and others" : ""));
  }
  analysis.notes.push_back("aliased in these runs: " + join(texts, ", ") +
                           "; an effect may be the interaction's, only other runs can tell");
}

// What is said of a response whose logarithm was taken unasked.
std::string why_log(const ModelChecks& checks, const std::string& response) {
  std::vector<std::string> failed;
  if (!checks.normal) failed.emplace_back("residuals are not normal");
  if (!checks.equal_variances) failed.emplace_back("variances are not equal");
  return "the logarithm of " + response + " is analysed, where both checks hold; of " + response +
         " itself, " + join(failed, " and ") + ". A difference of 0.1 is 10 %; `plain` analyses " + response +
         " itself";
}

AnalysisTable logarithm_of(AnalysisTable table) {
  table.response = "log(" + table.response + ")";
  table.log = true;
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    if (!table.censored[i]) table.y[i] = std::log(table.y[i]);
  }
  return table;
}

void add_notes(Analysis& analysis) {
  note_aliases(analysis);
  if (analysis.censored > 0) {
    analysis.notes.push_back(
        std::to_string(analysis.censored) +
        " run(s) did not complete: left out of means, ANOVA and regressions, ranked last by "
        "Kruskal-Wallis, failed in the transfer table");
  }
  for (const Collinearity& entry : analysis.collinear) {
    if (!entry.relation.empty()) {
      analysis.notes.push_back("collinear: " + entry.relation + ", so their effects cannot be told apart");
      break;  // the same relation solved for another factor says nothing new
    }
  }
  for (const Collinearity& entry : analysis.collinear) {
    if (entry.vif > kLargeVif && std::isfinite(entry.vif)) {
      analysis.notes.push_back("collinear: " + entry.factor + " is nearly determined by the other factors");
    }
  }
  if (analysis.anova.adjusted_r2 > kAlmostAll && analysis.anova.residual_df > 0) {
    analysis.notes.emplace_back(
        "nearly everything is explained: is a factor computed from the response, as a cost from a time? "
        "Leave it out with `without`");
  }
  if (analysis.repetitions && !analysis.repetitions->pure) {
    analysis.notes.emplace_back(
        "no run was repeated: the scatter is what the model leaves, which may hold effects that it lacks");
  }
}

void add_rank_tests(const AnalysisTable& table, AnovaResult& result) {
  const std::vector<std::optional<double>> ranks = aligned_rank_tests(table, result);
  for (std::size_t t = 0; t < ranks.size(); ++t) result.rows[t].rank_p = ranks[t];
}

}  // namespace

Analysis analyze(const AnalysisTable& all, const AnalysisOptions& options) {
  if (!(options.level > 0.5 && options.level < 1)) {
    throw InputError(at_field("level"), "the level is not between 0.5 and 1", "write 95 % as 0.95");
  }
  AnalysisTable table = completed_rows(all);
  if (table.factors.empty()) throw InputError({}, "no factor changes among the completed runs", "add runs");
  Analysis out{.table = table,
               .level = options.level,
               .log = all.log,
               .censored = all.rows() - table.rows(),
               .anova = {},
               .checks = {},
               .ranks = rank_tests(all),
               .regressions = factor_regressions(table, options.level),
               .collinear = collinearity(table)};
  out.notes = table.notes;
  out.aliases = effect_aliases(table);
  out.anova = anova(table, options.anova);
  LevelEffects levels = level_effects(table, {.order = out.anova.order, .level = options.level});
  out.effects = std::move(levels.effects);
  out.pairs = std::move(levels.pairs);
  out.checks = check_model(table, out.anova, options.level);
  if (out.checks.log_helps && options.may_log && !all.log) {
    Analysis logs = analyze(logarithm_of(all), options);
    logs.chose_log = true;
    logs.notes.insert(logs.notes.begin(), why_log(out.checks, all.response));
    return logs;
  }
  if (!out.checks.hold()) add_rank_tests(table, out.anova);
  out.interactions = clear_interactions(out);
  note_interactions(out);
  if (table.factors.size() <= kMostImportanceFactors)
    out.importance = importance(table, std::min(out.anova.order, 2));
  if (all.group && all.factors.size() > 1) out.transfer = transfer_table(natural(all, all.log), options.top);
  if (!options.scaling.empty()) {
    out.scaling = scaling_of(natural(table, all.log), options.scaling, options.level, options.seed);
  }
  out.repetitions = repetitions_of(out, options);
  add_notes(out);
  return out;
}

}  // namespace sextant::analysis
