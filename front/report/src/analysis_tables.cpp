#include "analysis_tables.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis_cells.h"

namespace sextant::report {
namespace {

using analysis::Analysis;
using analysis::InteractionMeans;
using analysis::LevelPair;
using analysis::ScalingCurve;
using analysis::WorkloadTransfer;
using enum Importance;
using namespace analysis_cells;  // NOLINT: the cells of this report

constexpr std::size_t kShownPairs = 20;
constexpr std::size_t kShownTransfers = 30;
constexpr std::size_t kShownInteractions = 2;
constexpr std::size_t kShownColumns = 8;

template <class Row>
using RowRefs = std::vector<std::reference_wrapper<const Row>>;

// Files have every row, people those that say most.
AnalysisPart shortened_part(const std::string& id, const std::string& title, Table every, Table most) {
  return {id,
          {{.key = id, .table = std::move(every), .shown = false, .title = title},
           {.table = std::move(most), .title = title}}};
}

// Of two factors, at each pair of levels.
struct MeanRow {
  const InteractionMeans& means;
  std::size_t first = 0;  // of the levels
  std::size_t second = 0;

  [[nodiscard]] bool has_runs() const { return means.counts(first, second) > 0; }
};

Table means_table(const Analysis& a) {
  using R = const MeanRow&;
  const Fields<MeanRow> fields = {
      {"first", "factor", [](R r) { return Cell(r.means.first); }, identity},
      {"first_level", "level", [](R r) { return Cell(r.means.first_levels[r.first]); }, identity},
      {"second", "factor", [](R r) { return Cell(r.means.second); }, identity},
      {"second_level", "level", [](R r) { return Cell(r.means.second_levels[r.second]); }, identity},
      {"n", "n", [](R r) { return count(static_cast<std::size_t>(r.means.counts(r.first, r.second))); }},
      {"mean", "mean", [](R r) { return r.has_runs() ? number(r.means.means(r.first, r.second)) : Cell(); },
       essential},
  };
  std::vector<MeanRow> rows;
  for (const InteractionMeans& means : a.interactions) {
    for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
      for (std::size_t j = 0; j < means.second_levels.size(); ++j) rows.push_back({means, i, j});
    }
  }
  return table_of(fields, rows);
}

// A line for each level of the first, a column for each of the second.
Table crossed_table(const InteractionMeans& means) {
  Fields<std::size_t> fields = {
      {means.first, means.first, [&](std::size_t i) { return Cell(means.first_levels[i]); }, identity}};
  for (std::size_t j = 0; j < means.second_levels.size(); ++j) {
    const std::string name = means.second + "=" + means.second_levels[j];
    fields.push_back({name, name, [&means, j](std::size_t i) {
                        return means.counts(i, j) > 0 ? number(means.means(i, j)) : Cell();
                      }});
  }
  std::vector<std::size_t> rows(means.first_levels.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  Table table = table_of(fields, rows);
  table.notes.emplace_back(
      "Means of the runs. Without an interaction, two rows would differ by the same amount in every column.");
  return table;
}

Fields<LevelPair> pair_fields(double level) {
  using P = const LevelPair&;
  return {
      {"factor", "factor", [](P p) { return Cell(p.factor); }, identity},
      {"a", "a", [](P p) { return Cell(p.a); }, identity},
      {"b", "b", [](P p) { return Cell(p.b); }, identity},
      {"difference", "a - b", [](P p) { return number(p.difference); }, essential},
      {"interval", "interval", [](P p) { return range(p.interval); }},
      {"p", "p (Tukey)", [](P p) { return p_value(p.p); }},
      {"verdict", "verdict", [level](P p) { return verdict(p.p, level); }, essential},
      file_number("standard_error", &LevelPair::standard_error),
      file_number("q", &LevelPair::q),
      file_number("df", &LevelPair::df),
      {"order", "", [](P p) { return Cell(std::int64_t{p.order}); }, detail},
  };
}

std::vector<std::string> pair_notes(const Analysis& a) {
  std::vector<std::string> notes = {"p and intervals hold for all pairs of a factor together."};
  const auto by_anova = [&](const LevelPair& pair) { return pair.order == a.anova.order; };
  if (std::ranges::any_of(a.pairs.pairs, by_anova)) {
    notes.push_back("The scatter is the residual of the analysis of variance: mean square " +
                    short_number(a.anova.residual_ms()) + " with " + short_number(a.anova.residual_df) +
                    " degrees of freedom.");
  }
  for (const std::string& note : a.pairs.notes) notes.push_back("Note: " + note + ".");
  return notes;
}

using Correlation = std::optional<stats::RankCorrelation>;

void add_correlation(Fields<WorkloadTransfer>& fields, const std::string& key, const std::string& title,
                     Correlation WorkloadTransfer::*member) {
  using R = const WorkloadTransfer&;
  const auto cell = [member](const auto& of) {
    return [member, of](R r) { return r.*member ? of(*(r.*member)) : Cell(); };
  };
  using C = const stats::RankCorrelation&;
  fields.push_back({key, title, cell([](C c) { return number(c.value); })});
  fields.push_back({key + "_p", "", cell([](C c) { return Cell(c.p); }), detail});
  fields.push_back({key + "_p_by", "", cell([](C c) { return Cell(to_string(c.method)); }), detail});
  fields.push_back({key + "_pairs", "", cell([](C c) { return count(c.pairs); }), detail});
}

Fields<WorkloadTransfer> transfer_fields() {
  using R = const WorkloadTransfer&;
  Fields<WorkloadTransfer> fields = {
      {"source", "optimum of", [](R r) { return Cell(r.source); }, identity},
      {"target", "used for", [](R r) { return Cell(r.target); }, identity},
      {"common", "configurations", [](R r) { return count(r.common); }},
      {"regret", "regret",
       [](R r) { return std::isinf(r.regret) ? instead("failed") : percent_cell(r.regret); }, essential},
  };
  add_correlation(fields, "spearman", "Spearman", &WorkloadTransfer::spearman);
  add_correlation(fields, "kendall", "Kendall", &WorkloadTransfer::kendall);
  const Fields<WorkloadTransfer> rest = {
      {"top_share", "of the best shared", [](R r) { return percent_cell(r.top_share); }},
      {"shift_r2", "line R^2", [](R r) { return r.shift ? number(r.shift->r2) : Cell(); }},
      {"configuration", "configuration", [](R r) { return Cell(r.source_best); }},
      {"target_best", "", [](R r) { return Cell(r.target_best); }, detail},
      {"top", "", [](R r) { return count(r.top); }, detail},
      {"shift_slope", "", [](R r) { return r.shift ? Cell(r.shift->slope) : Cell(); }, detail},
      {"shift_intercept", "", [](R r) { return r.shift ? Cell(r.shift->intercept) : Cell(); }, detail},
  };
  std::ranges::copy(rest, std::back_inserter(fields));
  return fields;
}

struct CurveRow {
  const analysis::WorkloadScaling& workload;
  const ScalingCurve& curve;

  [[nodiscard]] bool first() const { return &curve == &workload.fits.curves.front(); }
};

// A count that was not measured says so.
Cell best_count_cell(const CurveRow& row) {
  const double largest = row.workload.fits.largest_count;
  if (!row.curve.best_count) return instead(row.curve.law == "usl" ? "none up to infinity" : "");
  std::string text = short_number(*row.curve.best_count);
  if (*row.curve.best_count > largest) {
    text += " (beyond " + short_number(largest) + ", the largest measured)";
  }
  return Cell::nested(number_or_null(*row.curve.best_count), text);
}

Fields<CurveRow> curve_fields() {
  using R = const CurveRow&;
  return {
      {"workload", "workload",
       [](R r) { return r.workload.workload.empty() ? instead("all") : Cell(r.workload.workload); },
       identity},
      {"law", "law", [](R r) { return Cell(r.curve.law); }, identity},
      {"rate", "of one", [](R r) { return number(r.curve.rate); }},
      {"serial", "serial", [](R r) { return number(r.curve.serial); }},
      {"crosstalk", "crosstalk", [](R r) { return number(r.curve.crosstalk); }},
      {"relative_error", "rms error", [](R r) { return percent_cell(r.curve.relative_error); }},
      {"best_count", "best count", best_count_cell, essential},
      {"best_count_interval", "interval",
       [](R r) { return r.curve.best_count_interval ? range(*r.curve.best_count_interval) : Cell(); }},
      {"half_count", "half efficiency at", [](R r) { return number(r.curve.half_count); }},
      {"aicc", "AICc", [](R r) { return number(r.curve.aicc); }},
      {"count", "", [](R r) { return Cell(r.workload.count); }, detail},
      {"points", "", [](R r) { return count(r.workload.fits.points.size()); }, detail},
      {"largest_count", "", [](R r) { return Cell(r.workload.fits.largest_count); }, detail},
  };
}

}  // namespace

AnalysisPart whole_part(const std::string& id, const std::string& title, Table table) {
  const bool shown = !table.rows.empty();
  return {id, {{.key = id, .table = std::move(table), .shown = shown, .title = title}}};
}

AnalysisPart interactions_part(const Analysis& a, bool all) {
  AnalysisPart part{"interactions", {{.key = "interactions", .table = means_table(a), .shown = false}}};
  for (std::size_t i = 0; i < a.interactions.size() && (all || i < kShownInteractions); ++i) {
    const InteractionMeans& means = a.interactions[i];
    if (!all && means.second_levels.size() > kShownColumns) continue;  // as a picture, or in JSON
    part.sections.push_back(
        {.table = crossed_table(means), .title = "Interaction of " + means.first + " and " + means.second});
  }
  return part;
}

AnalysisPart pairs_part(const Analysis& a, bool all) {
  const std::string title = "Pairs of levels (Tukey)";
  Table every = table_of(pair_fields(a.level), a.pairs.pairs);
  every.notes = pair_notes(a);
  if (all || a.pairs.pairs.size() <= kShownPairs) return whole_part("pairs", title, std::move(every));
  RowRefs<LevelPair> clearest(a.pairs.pairs.begin(), a.pairs.pairs.end());
  std::ranges::stable_sort(clearest, {}, [](const LevelPair& pair) { return pair.p; });
  clearest.erase(clearest.begin() + kShownPairs, clearest.end());
  Table most = table_of(pair_fields(a.level), clearest);
  most.notes = pair_notes(a);
  most.notes.insert(most.notes.begin(), "The " + std::to_string(kShownPairs) + " clearest of " +
                                            std::to_string(a.pairs.pairs.size()) +
                                            " pairs; `all` shows them all.");
  return shortened_part("pairs", title, std::move(every), std::move(most));
}

AnalysisPart transfer_part(const Analysis& a, bool all) {
  const std::string title = "Does the optimum of one workload hold for another?";
  const std::string top = a.transfer.empty() ? "" : std::to_string(a.transfer.front().top);
  const Fields<WorkloadTransfer> fields = explained(
      transfer_fields(), {{"top_share", "of the " + top + " best of each"},
                          {"shift_r2", "a line turns one workload into the other where it is above 0.8"}});
  const Table every = table_of(fields, a.transfer);
  if (all || a.transfer.size() <= kShownTransfers) return whole_part("transfer", title, every);
  RowRefs<WorkloadTransfer> largest(a.transfer.begin(), a.transfer.end());
  std::ranges::stable_sort(largest, std::greater<>{}, [](const WorkloadTransfer& row) { return row.regret; });
  largest.erase(largest.begin() + kShownTransfers, largest.end());
  Table most = table_of(fields, largest);
  most.notes = {"The " + std::to_string(kShownTransfers) + " largest regrets of " +
                std::to_string(a.transfer.size()) + " pairs; `all` shows them all."};
  return shortened_part("transfer", title, every, std::move(most));
}

AnalysisPart scaling_part(const Analysis& a, bool all) {
  std::vector<CurveRow> rows;
  for (const analysis::WorkloadScaling& workload : a.scaling) {
    for (const ScalingCurve& curve : workload.fits.curves) rows.push_back({workload, curve});
  }
  const std::string title = "Diminishing returns";
  Table every = table_of(curve_fields(), rows);
  every.notes.emplace_back(
      "Best law by AICc first. Runs are taken as they are: other factors that vary are scatter.");
  if (all || rows.empty()) return whole_part("scaling", title, std::move(every));
  RowRefs<CurveRow> best;
  std::ranges::copy_if(rows, std::back_inserter(best),
                       [](const CurveRow& row) { return row.first() || row.curve.law == "usl"; });
  Table most = table_of(curve_fields(), best);
  most.notes = every.notes;
  return shortened_part("scaling", title, std::move(every), std::move(most));
}

}  // namespace sextant::report
