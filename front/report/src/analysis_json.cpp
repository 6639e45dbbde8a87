// An analysis of runs as JSON, "sextant.analysis/1".
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis_cells.h"
#include "sextant/report/analysis_report.h"

namespace sextant::report {
namespace {

using analysis_cells::optional_json;
using analysis_cells::pair_json;

Json anova_json(const analysis::AnovaResult& a) {
  Json json = {{"sums_of_squares", a.type == analysis::SumsOfSquares::type_two ? "II" : "III"},
               {"order", a.order},
               {"balanced", a.balanced},
               {"r2", a.r2},
               {"adjusted_r2", a.adjusted_r2},
               {"residual", {{"ss", a.residual_ss}, {"df", a.residual_df}}},
               {"total_ss", a.total_ss}};
  json["terms"] = Json::array();
  for (const analysis::AnovaRow& row : a.rows) {
    json["terms"].push_back({{"term", row.term},
                             {"ss", row.ss},
                             {"df", row.df},
                             {"f", optional_json(row.f)},
                             {"p", optional_json(row.p)},
                             {"eta_squared", row.eta_squared},
                             {"partial_eta_squared", row.partial_eta_squared},
                             {"omega_squared", row.omega_squared}});
  }
  json["notes"] = a.notes;
  return json;
}

Json checks_json(const analysis::ModelChecks& checks) {
  Json json = {{"normal", checks.normal},
               {"equal_variances", checks.equal_variances},
               {"log_helps", checks.log_helps},
               {"normality", nullptr}};
  if (checks.normality) {
    json["normality"] = {{"test", checks.normality->name},
                         {"statistic", checks.normality->statistic},
                         {"p", checks.normality->p}};
  }
  json["variances"] = Json::array();
  for (const analysis::VarianceCheck& check : checks.variances) {
    json["variances"].push_back({{"factor", check.factor},
                                 {"test", "Brown-Forsythe"},
                                 {"f", number_or_null(check.test.f)},
                                 {"df1", check.test.df1},
                                 {"df2", check.test.df2},
                                 {"p", check.test.p},
                                 {"p_holm", check.p_holm}});
  }
  json["findings"] = checks.findings;
  return json;
}

Json ranks_json(const std::vector<analysis::FactorRanks>& ranks) {
  Json json = Json::array();
  for (const analysis::FactorRanks& row : ranks) {
    json.push_back({{"factor", row.factor},
                    {"h", row.test.h},
                    {"df", row.test.df},
                    {"p", row.test.p},
                    {"p_holm", row.p_holm},
                    {"epsilon_squared", row.test.epsilon_squared},
                    {"small_groups", row.test.small_groups},
                    {"within_workloads", row.blocked},
                    {"censored", row.censored}});
  }
  return json;
}

Json effects_json(const std::vector<analysis::MainEffect>& effects) {
  Json json = Json::array();
  for (const analysis::MainEffect& effect : effects) {
    Json entry = {{"factor", effect.factor},
                  {"covariate", effect.covariate},
                  {"range", effect.range},
                  {"order", effect.order},
                  {"df", effect.df}};
    if (effect.covariate) {
      entry["slope"] = effect.slope;
      entry["interval"] = pair_json(effect.slope_interval);
    }
    entry["levels"] = Json::array();
    for (const analysis::LevelMean& level : effect.levels) {
      entry["levels"].push_back({{"level", level.level},
                                 {"n", level.n},
                                 {"mean", level.mean},
                                 {"adjusted", level.estimable ? Json(level.adjusted) : Json(nullptr)},
                                 {"interval", level.estimable ? pair_json(level.interval) : Json(nullptr)}});
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json interactions_json(const std::vector<analysis::InteractionMeans>& interactions) {
  Json json = Json::array();
  for (const analysis::InteractionMeans& means : interactions) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
      for (std::size_t j = 0; j < means.second_levels.size(); ++j) {
        cells.push_back({{means.first, means.first_levels[i]},
                         {means.second, means.second_levels[j]},
                         {"n", means.counts(i, j)},
                         {"mean", number_or_null(means.means(i, j))}});
      }
    }
    json.push_back({{"factors", {means.first, means.second}}, {"cells", std::move(cells)}});
  }
  return json;
}

Json pairs_json(const analysis::PairwiseResult& result) {
  Json json = Json::array();
  for (const analysis::LevelPair& pair : result.pairs) {
    json.push_back({{"factor", pair.factor},
                    {"a", pair.a},
                    {"b", pair.b},
                    {"difference", pair.difference},
                    {"standard_error", pair.standard_error},
                    {"order", pair.order},
                    {"df", pair.df},
                    {"q", number_or_null(pair.q)},
                    {"p", pair.p},
                    {"interval", pair_json(pair.interval)}});
  }
  return json;
}

Json regressions_json(const analysis::Analysis& a) {
  Json json = Json::array();
  for (const analysis::FactorRegression& row : a.regressions) {
    const auto found = std::ranges::find(a.collinear, row.factor, &analysis::Collinearity::factor);
    const bool known = found != a.collinear.end();
    json.push_back({{"factor", row.factor},
                    {"n", row.n},
                    {"slope", row.slope},
                    {"intercept", row.intercept},
                    {"standard_error", number_or_null(row.standard_error)},
                    {"t", number_or_null(row.t)},
                    {"df", row.df},
                    {"p", row.p},
                    {"p_holm", row.p_holm},
                    {"interval", pair_json(row.interval)},
                    {"r2", row.r2},
                    {"verdict", row.evidence ? "evidence" : "no evidence"},
                    {"vif", known ? number_or_null(found->vif) : Json(nullptr)},
                    {"relation", known && !found->relation.empty() ? Json(found->relation) : Json(nullptr)}});
  }
  return json;
}

Json correlation_json(const std::optional<stats::RankCorrelation>& correlation) {
  if (!correlation) return nullptr;
  return {{"value", correlation->value},
          {"p", correlation->p},
          {"p_by", to_string(correlation->method)},
          {"pairs", correlation->pairs}};
}

Json transfer_json(const std::vector<analysis::WorkloadTransfer>& rows) {
  Json json = Json::array();
  for (const analysis::WorkloadTransfer& row : rows) {
    Json entry = {{"source", row.source},
                  {"target", row.target},
                  {"common", row.common},
                  {"source_best", row.source_best},
                  {"target_best", row.target_best},
                  {"regret", number_or_null(row.regret)},
                  {"top", row.top},
                  {"top_share", row.top_share}};
    entry["spearman"] = correlation_json(row.spearman);
    entry["kendall"] = correlation_json(row.kendall);
    entry["shift"] = nullptr;
    if (row.shift) {
      entry["shift"] = {
          {"slope", row.shift->slope}, {"intercept", row.shift->intercept}, {"r2", row.shift->r2}};
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json curve_json(const analysis::ScalingCurve& curve) {
  Json json = {{"law", curve.law},
               {"rate", curve.rate},
               {"serial", curve.serial},
               {"crosstalk", curve.crosstalk},
               {"relative_error", curve.relative_error},
               {"aicc", optional_json(curve.aicc)},
               {"best_count", optional_json(curve.best_count)},
               {"half_count", optional_json(curve.half_count)}};
  json["best_count_interval"] =
      curve.best_count_interval ? pair_json(*curve.best_count_interval) : Json(nullptr);
  return json;
}

Json scaling_json(const std::vector<analysis::WorkloadScaling>& workloads) {
  Json json = Json::array();
  for (const analysis::WorkloadScaling& workload : workloads) {
    Json curves = Json::array();
    for (const analysis::ScalingCurve& curve : workload.fits.curves) curves.push_back(curve_json(curve));
    json.push_back({{"workload", workload.workload.empty() ? Json(nullptr) : Json(workload.workload)},
                    {"count", workload.count},
                    {"points", workload.fits.points.size()},
                    {"largest_count", workload.fits.largest_count},
                    {"curves", std::move(curves)}});
  }
  return json;
}

Json importance_json(const analysis::Importance& importance) {
  Json json = {{"explained", importance.explained}, {"adjusted", importance.adjusted}};
  json["factors"] = Json::array();
  for (const analysis::FactorImportance& factor : importance.factors) {
    json["factors"].push_back(
        {{"factor", factor.factor}, {"share", factor.share}, {"alone", factor.alone}, {"last", factor.last}});
  }
  return json;
}

Json repetitions_json(const analysis::Repetitions& repetitions) {
  Json json = {{"sd", repetitions.sd},
               {"df", repetitions.df},
               {"from", repetitions.pure ? "repeated runs" : "model"},
               {"power", repetitions.power}};
  json["rows"] = Json::array();
  for (const analysis::RepetitionRow& row : repetitions.rows) {
    json["rows"].push_back({{"relative", row.relative},
                            {"difference", row.difference},
                            {"repetitions", row.repetitions ? Json(*row.repetitions) : Json(nullptr)}});
  }
  return json;
}

}  // namespace

Json to_json(const analysis::Analysis& a) {
  Json json = {{"schema", "sextant.analysis/1"},
               {"response", a.table.response},
               {"level", a.level},
               {"rows", a.table.rows()},
               {"censored", a.censored}};
  json["factors"] = Json::array();
  for (const analysis::AnalysisFactor& factor : a.table.factors) {
    json["factors"].push_back({{"name", factor.name},
                               {"kind", factor.covariate ? "covariate" : "levels"},
                               {"levels", factor.levels.size()}});
  }
  json["anova"] = anova_json(a.anova);
  json["checks"] = checks_json(a.checks);
  json["kruskal_wallis"] = ranks_json(a.ranks);
  json["importance"] = a.importance ? importance_json(*a.importance) : Json(nullptr);
  json["effects"] = effects_json(a.effects);
  json["interactions"] = interactions_json(a.interactions);
  json["pairs"] = pairs_json(a.pairs);
  json["pair_notes"] = a.pairs.notes;
  json["regression"] = regressions_json(a);
  json["aliases"] = Json::array();
  for (const analysis::EffectAlias& alias : a.aliases) {
    json["aliases"].push_back({{"factor", alias.factor}, {"interactions", alias.interactions}});
  }
  json["transfer"] = transfer_json(a.transfer);
  json["scaling"] = scaling_json(a.scaling);
  json["repetitions"] = a.repetitions ? repetitions_json(*a.repetitions) : Json(nullptr);
  json["notes"] = a.notes;
  return json;
}

}  // namespace sextant::report
