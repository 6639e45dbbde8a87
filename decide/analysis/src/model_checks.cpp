#include "sextant/analysis/model_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "residual_spread.h"
#include "sextant/stats/multiple.h"

namespace sextant::analysis {
namespace {

constexpr std::size_t kLeastResiduals = 3;

std::string p_text(double p) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "p = %.4f", p);
  return p < 1e-4 ? "p < 0.0001" : text.data();
}

// Of one factor alone. Two residuals are as far from their median as each other, so that only levels with
// three or more say how much they vary; nothing where fewer than two levels do.
std::optional<stats::FTest> plain_test(const AnalysisFactor& factor, const std::vector<double>& residuals) {
  std::vector<std::vector<double>> groups(factor.levels.size());
  for (std::size_t i = 0; i < residuals.size(); ++i) groups[factor.level[i]].push_back(residuals[i]);
  std::erase_if(groups, [](const std::vector<double>& group) { return group.size() < kLeastResiduals; });
  if (groups.size() < 2) return std::nullopt;
  return stats::brown_forsythe(groups);
}

std::vector<VarianceCheck> variance_checks(const AnalysisTable& table, const AnovaResult& result) {
  std::optional<analysis::ResidualSpread> spread;
  if (table.factors.size() > 1) spread.emplace(table, result);
  std::vector<VarianceCheck> checks;
  std::vector<double> ps;
  for (const AnalysisFactor& factor : table.factors) {
    if (factor.covariate) continue;
    const std::optional<stats::FTest> test =
        spread ? spread->test(factor) : plain_test(factor, result.residuals);
    if (!test) continue;
    checks.push_back({.factor = factor.name, .test = *test});
    ps.push_back(test->p);
  }
  const std::vector<double> adjusted = stats::holm_adjusted(ps);
  for (std::size_t i = 0; i < checks.size(); ++i) checks[i].p_holm = adjusted[i];
  return checks;
}

struct Verdict {
  std::optional<stats::NormalityTest> normality;
  std::vector<VarianceCheck> variances;
  bool normal = true;
  bool equal = true;
};

Verdict verdict_of(const AnalysisTable& table, const AnovaResult& result, double level) {
  Verdict verdict;
  const bool scattered = result.residual_df > 0 && result.residual_ss > 0;
  if (!scattered) return verdict;
  if (result.residuals.size() >= kLeastResiduals) verdict.normality = stats::normality_test(result.residuals);
  verdict.variances = variance_checks(table, result);
  verdict.equal = std::ranges::all_of(verdict.variances,
                                      [&](const VarianceCheck& check) { return check.p_holm >= 1 - level; });
  verdict.normal = !verdict.normality || verdict.normality->p >= 1 - level;
  return verdict;
}

bool log_passes(const AnalysisTable& table, const AnovaResult& result, double level) {
  if (std::ranges::any_of(table.y, [](double y) { return y <= 0; })) return false;
  AnalysisTable logs = table;
  for (double& y : logs.y) y = std::log(y);
  const Verdict verdict = verdict_of(logs, anova(logs, {.order = result.order, .type = result.type}), level);
  return verdict.normal && verdict.equal;
}

// Workloads are compared with themselves, all other factors within workloads.
bool blocked(const AnalysisTable& table, const AnalysisFactor& factor) {
  return table.group && factor.name != table.factors[*table.group].name;
}

std::vector<std::string> findings_of(const ModelChecks& checks, double level) {
  std::vector<std::string> out;
  if (checks.normality) {
    out.push_back("normal residuals: " + std::string(checks.normal ? "no violation found" : "FAILS") + " (" +
                  checks.normality->name + ", " + p_text(checks.normality->p) + ")");
  }
  for (const VarianceCheck& check : checks.variances) {
    if (check.p_holm < 1 - level) {
      out.push_back("equal variances over " + check.factor + ": FAILS (Brown-Forsythe, " +
                    p_text(check.p_holm) + " after Holm)");
    }
  }
  if (!checks.variances.empty() && checks.equal_variances) {
    out.emplace_back("equal variances: no violation found (Brown-Forsythe)");
  }
  if (checks.hold()) return out;
  out.emplace_back("so p of F, pairs (Tukey) and intervals are approximate");
  if (checks.log_helps) out.emplace_back("on the logarithm of the response both hold");
  return out;
}

}  // namespace

ModelChecks check_model(const AnalysisTable& table, const AnovaResult& result, double level) {
  Verdict verdict = verdict_of(table, result, level);
  ModelChecks checks{.normality = std::move(verdict.normality),
                     .variances = std::move(verdict.variances),
                     .normal = verdict.normal,
                     .equal_variances = verdict.equal};
  if (!checks.normal || !checks.equal_variances) checks.log_helps = log_passes(table, result, level);
  checks.findings = findings_of(checks, level);
  const bool levels =
      std::ranges::any_of(table.factors, [](const AnalysisFactor& factor) { return !factor.covariate; });
  if (levels && checks.variances.empty() && checks.normality) {
    checks.findings.emplace_back("equal variances: not checked, too few runs of each level");
  }
  return checks;
}

std::vector<FactorRanks> rank_tests(const AnalysisTable& table) {
  double worst = 0;
  bool first = true;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (table.censored[i]) continue;
    worst = first ? table.y[i] : (table.maximise ? std::min(worst, table.y[i]) : std::max(worst, table.y[i]));
    first = false;
  }
  const double behind = table.maximise ? worst - std::abs(worst) - 1 : worst + std::abs(worst) + 1;
  std::vector<FactorRanks> tests;
  std::vector<double> ps;
  for (const AnalysisFactor& factor : table.factors) {
    if (factor.covariate) continue;
    FactorRanks ranks{.factor = factor.name, .test = {}, .blocked = blocked(table, factor)};
    const std::size_t count = ranks.blocked ? table.factors[*table.group].levels.size() : 1;
    std::vector<std::vector<std::vector<double>>> blocks(
        count, std::vector<std::vector<double>>(factor.levels.size()));
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::size_t block = ranks.blocked ? table.factors[*table.group].level[i] : 0;
      blocks[block][factor.level[i]].push_back(table.censored[i] ? behind : table.y[i]);
      ranks.censored += table.censored[i] ? 1 : 0;
    }
    ranks.test =
        ranks.blocked ? stats::blocked_kruskal_wallis(blocks) : stats::kruskal_wallis(blocks.front());
    ps.push_back(ranks.test.p);
    tests.push_back(std::move(ranks));
  }
  const std::vector<double> adjusted = stats::holm_adjusted(ps);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].p_holm = adjusted[i];
  return tests;
}

}  // namespace sextant::analysis
