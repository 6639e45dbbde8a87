#include "sextant/report/analysis_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis_cells.h"
#include "analysis_facts.h"
#include "analysis_tables.h"
#include "analysis_verdict.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using analysis::Analysis;
using analysis::AnovaResult;
using analysis::AnovaRow;
using analysis::FactorRegression;
using enum Importance;
using namespace analysis_cells;  // NOLINT: the cells of this report

// The residual is a term of its own, of which nothing is tested.
AnovaRow residual_row(const AnovaResult& anova) {
  return {.term = "residual",
          .factors = {},
          .ss = anova.residual_ss,
          .df = anova.residual_df,
          .eta_squared = anova.residual_ss / anova.total_ss};
}

struct TermRow {
  const AnovaRow& term;
  bool tested = true;
};

Cell term_verdict(const TermRow& row, double level) {
  if (!row.tested) return {};
  return row.term.df == 0 ? Cell("determined by others") : verdict(row.term.p, row.term.rank_p, level);
}

Fields<TermRow> term_fields(double level, bool ranks) {
  using R = const TermRow&;
  return {
      {"term", "term", [](R r) { return Cell(r.term.term); }, identity},
      {"ss", "sum of squares", [](R r) { return number(r.term.ss); }},
      {"df", "df", [](R r) { return Cell(static_cast<std::int64_t>(r.term.df)); }},
      {"f", "F", [](R r) { return number(r.term.f); }},
      {"p", "p", [](R r) { return p_value(r.term.p); }, essential},
      {"rank_p", "p by ranks", [](R r) { return p_value(r.term.rank_p); }, ranks ? essential : detail},
      {"eta_squared", "eta^2", [](R r) { return number(r.term.eta_squared); }, essential},
      {"omega_squared", "omega^2", [](R r) { return r.tested ? number(r.term.omega_squared) : Cell(); }},
      {"verdict", "verdict", [level](R r) { return term_verdict(r, level); }, essential},
      {"partial_eta_squared", "", [](R r) { return r.tested ? Cell(r.term.partial_eta_squared) : Cell(); },
       detail},
  };
}

std::vector<std::string> anova_notes(const Analysis& a) {
  std::string type = a.anova.type == analysis::SumsOfSquares::type_two
                         ? "II (given all terms that do not contain it)"
                         : "III (given all other terms)";
  if (a.anova.balanced) type += "; the runs are balanced, all types agree";
  std::vector<std::string> notes = {analysis_verdict(a), "Sums of squares of type " + type + ". R^2 " +
                                                             short_number(a.anova.r2) + ", adjusted " +
                                                             short_number(a.anova.adjusted_r2) + "."};
  for (const std::string& finding : a.checks.findings) notes.push_back("Check: " + finding + ".");
  for (const std::string& note : a.anova.notes) notes.push_back("Note: " + note + ".");
  for (const std::string& note : a.notes) notes.push_back("Note: " + note + ".");
  return notes;
}

Table anova_table(const Analysis& a) {
  const AnovaRow residual = residual_row(a.anova);
  std::vector<TermRow> rows;
  for (const AnovaRow& term : a.anova.rows) rows.push_back({term});
  rows.push_back({residual, false});
  const Fields<TermRow> fields = explained(term_fields(a.level, !a.checks.hold()),
                                           {{"df", "degrees of freedom"},
                                            {"f", "mean square of the term over that of the residual"},
                                            {"p", "chance of an F as large, if the term had no effect"},
                                            {"rank_p",
                                             "the same by aligned ranks, which outliers and unequal "
                                             "variances move little"},
                                            {"eta_squared", "share of the variation that the term explains"},
                                            {"omega_squared", "the same share, corrected for chance"}});
  Table table = table_of(fields, rows);
  table.notes = anova_notes(a);
  return table;
}

Table ranks_table(const Analysis& a) {
  using analysis::FactorRanks;
  using R = const FactorRanks&;
  const Fields<FactorRanks> fields = {
      {"factor", "factor", [](R r) { return Cell(r.factor); }, identity},
      {"h", "H", [](R r) { return number(r.test.h); }},
      {"df", "df", [](R r) { return Cell(static_cast<std::int64_t>(r.test.df)); }},
      {"p", "p", [](R r) { return p_value(r.test.p); }},
      {"p_holm", "p (Holm)", [](R r) { return p_value(r.p_holm); }, essential},
      {"epsilon_squared", "epsilon^2", [](R r) { return number(r.test.epsilon_squared); }},
      {"verdict", "verdict", [level = a.level](R r) { return verdict(r.p_holm, level); }, essential},
      {"small_groups", "", [](R r) { return Cell(r.test.small_groups); }, detail},
      {"within_workloads", "", [](R r) { return Cell(r.blocked); }, detail},
      {"censored", "", [](R r) { return count(r.censored); }, detail},
  };
  Table table = table_of(explained(fields, {{"p_holm", "p, corrected for the number of factors"},
                                            {"epsilon_squared", "share of the variation of the ranks"}}),
                         a.ranks);
  const bool blocked = std::ranges::any_of(a.ranks, &FactorRanks::blocked);
  table.notes.push_back("Kruskal-Wallis with ties" +
                        std::string(blocked ? ", within workloads (van Elteren)" : "") +
                        "; the effects of the other factors are not taken out, so a small effect beside a "
                        "large one does not show.");
  if (std::ranges::any_of(a.ranks, [](R row) { return row.test.small_groups; })) {
    table.notes.emplace_back("Some levels have fewer than five runs; p is rough there.");
  }
  return table;
}

// A level, or the slope of a covariate.
struct LevelRow {
  const analysis::MainEffect& effect;
  const analysis::LevelMean* level = nullptr;
};

Cell adjusted_cell(const LevelRow& row) {
  if (row.level == nullptr) return number(row.effect.slope);
  return row.level->estimable ? number(row.level->adjusted) : Cell();
}

Cell adjusted_range(const LevelRow& row) {
  if (row.level == nullptr) return range(row.effect.slope_interval);
  return row.level->estimable ? range(row.level->interval) : instead("not estimable");
}

Fields<LevelRow> level_fields() {
  using R = const LevelRow&;
  return {
      {"factor", "factor", [](R r) { return Cell(r.effect.factor); }, identity},
      {"level", "level", [](R r) { return r.level ? Cell(r.level->level) : Cell("per unit"); }, identity},
      {"n", "n", [](R r) { return r.level ? count(r.level->n) : Cell(); }},
      {"mean", "mean", [](R r) { return r.level ? number(r.level->mean) : Cell(); }},
      {"adjusted", "adjusted", adjusted_cell, essential},
      {"interval", "interval of adjusted", adjusted_range, essential},
      {"covariate", "", [](R r) { return Cell(r.effect.covariate); }, detail},
      {"range", "", [](R r) { return Cell(r.effect.range); }, detail},
      {"order", "", [](R r) { return Cell(std::int64_t{r.effect.order}); }, detail},
      {"df", "", [](R r) { return Cell(r.effect.df); }, detail},
  };
}

// Names of the factors whose means are from a simpler model than that of the analysis of variance.
std::string effects_without_interactions(const Analysis& a) {
  std::vector<std::string> names;
  for (const analysis::MainEffect& effect : a.effects) {
    if (effect.order < a.anova.order) names.push_back(effect.factor);
  }
  return join(names, ", ");
}

Table levels_table(const Analysis& a) {
  std::vector<LevelRow> rows;
  for (const analysis::MainEffect& effect : a.effects) {
    if (effect.covariate) rows.push_back({effect});
    for (const analysis::LevelMean& level : effect.levels) rows.push_back({effect, &level});
  }
  const std::string adjusted =
      std::string(
          "the mean if every level of the other factors were equally frequent, by the model of the ") +
      "analysis of variance, " + (a.anova.order > 1 ? "interactions included" : "which has no interactions");
  Table table = table_of(explained(level_fields(), {{"adjusted", adjusted}}), rows);
  const std::string others = effects_without_interactions(a);
  if (!others.empty()) {
    table.notes.push_back("Without interactions, as some combinations of levels have no run: " + others +
                          ".");
  }
  return table;
}

Table importance_table(const Analysis& a) {
  using analysis::FactorImportance;
  using F = const FactorImportance&;
  const Fields<FactorImportance> fields = {
      {"factor", "factor", [](F f) { return Cell(f.factor); }, identity},
      {"share", "share", [](F f) { return percent_cell(f.share); }, essential},
      {"alone", "alone", [](F f) { return percent_cell(f.alone); }},
      {"last", "beyond the others", [](F f) { return percent_cell(f.last); }},
  };
  if (!a.importance) return table_of(fields, std::vector<FactorImportance>{});
  Table table = table_of(fields, a.importance->factors);
  table.notes.push_back("Shares of the variance add up to " + percent_words(a.importance->explained) +
                        " explained" +
                        (a.importance->adjusted ? " (adjusted R^2)." : " (R^2, not adjusted)."));
  return table;
}

const analysis::Collinearity* collinearity_of(const Analysis& a, const std::string& factor) {
  const auto found = std::ranges::find(a.collinear, factor, &analysis::Collinearity::factor);
  return found == a.collinear.end() ? nullptr : &*found;
}

Cell relation_cell(const analysis::Collinearity* known) {
  return known != nullptr && !known->relation.empty() ? Cell(known->relation) : Cell();
}

Table regressions_table(const Analysis& a) {
  using R = const FactorRegression&;
  const auto vif = [&a](R r) {
    const analysis::Collinearity* known = collinearity_of(a, r.factor);
    return known == nullptr ? Cell() : Cell(known->vif);
  };
  const Fields<FactorRegression> fields = {
      {"factor", "factor", [](R r) { return Cell(r.factor); }, identity},
      {"n", "n", [](R r) { return count(r.n); }},
      {"slope", "slope", [](R r) { return number(r.slope); }, essential},
      {"interval", "interval", [](R r) { return range(r.interval); }},
      {"intercept", "intercept", [](R r) { return number(r.intercept); }},
      {"t", "t", [](R r) { return number(r.t); }},
      {"p", "p", [](R r) { return p_value(r.p); }},
      {"p_holm", "p (Holm)", [](R r) { return p_value(r.p_holm); }, essential},
      {"r2", "R^2", [](R r) { return number(r.r2); }},
      {"verdict", "verdict", [level = a.level](R r) { return verdict(r.p_holm, level); }, essential},
      file_number("standard_error", &FactorRegression::standard_error),
      file_number("df", &FactorRegression::df),
      {"vif", "", vif, detail},
      {"relation", "", [&a](R r) { return relation_cell(collinearity_of(a, r.factor)); }, detail},
  };
  return table_of(explained(fields, {{"p_holm", "p, corrected for the number of factors"}}), a.regressions);
}

Table repetitions_table(const Analysis& a) {
  using analysis::RepetitionRow;
  using R = const RepetitionRow&;
  const auto runs = [](R r) { return r.repetitions ? Cell(*r.repetitions) : instead("more than a million"); };
  const Fields<RepetitionRow> fields = {
      {"relative", "difference", [](R r) { return percent_cell(r.relative); }, identity},
      {"difference", "in the response", [](R r) { return number(r.difference); }},
      {"repetitions", "runs of each", runs, essential},
  };
  if (!a.repetitions) return table_of(fields, std::vector<RepetitionRow>{});
  Table table = table_of(fields, a.repetitions->rows);
  table.notes.push_back(
      "Runs of each of two configurations with which a t test finds the difference with probability " +
      short_number(a.repetitions->power) + "; the standard deviation of a run is " +
      short_number(a.repetitions->sd) + ", from " + short_number(a.repetitions->df) + " degrees of freedom.");
  return table;
}

std::vector<AnalysisPart> parts_of(const Analysis& a, bool all) {
  AnalysisPart ranks = whole_part("ranks", "By ranks, each factor alone", ranks_table(a));
  ranks.sections.front().shown &= all || a.censored > 0;
  return {whole_part("anova", "What explains " + a.table.response, anova_table(a)),
          std::move(ranks),
          whole_part("importance", "Importance", importance_table(a)),
          whole_part("effects", "Effects of levels", levels_table(a)),
          interactions_part(a, all),
          pairs_part(a, all),
          whole_part("regression", "Straight lines, each factor alone", regressions_table(a)),
          transfer_part(a, all),
          scaling_part(a, all),
          whole_part("repetitions", "Repetitions that show a difference", repetitions_table(a))};
}

}  // namespace

std::vector<std::string> analysis_section_ids() {
  return {"anova", "ranks",      "importance", "effects", "interactions",
          "pairs", "regression", "transfer",   "scaling", "repetitions"};
}

Result analysis_result(const Analysis& analysis, const AnalysisView& view) {
  std::vector<AnalysisPart> parts = parts_of(analysis, view.all || !view.show.empty());
  const auto wanted = [&](const AnalysisPart& part) {
    return view.show.empty() || std::ranges::find(view.show, part.id) != view.show.end();
  };
  std::stable_partition(parts.begin(), parts.end(), wanted);
  Result result{.schema = "sextant.analysis/2", .facts = analysis_facts(analysis)};
  for (AnalysisPart& part : parts) {
    for (Section& section : part.sections) {
      section.shown &= wanted(part);
      result.sections.push_back(std::move(section));
    }
  }
  std::ranges::move(background_sections(analysis), std::back_inserter(result.sections));
  return result;
}

}  // namespace sextant::report
