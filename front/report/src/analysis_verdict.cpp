#include "analysis_verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "analysis_cells.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using analysis::Analysis;
using analysis::AnovaRow;

struct FactorWeight {
  std::string name;
  double share = 0;              // of the variance
  std::optional<double> p = {};  // nothing: not tested
};

// Where the assumptions of the analysis of variance fail, or runs did not complete.
bool ranks_are_safer(const Analysis& a) {
  return !a.checks.normal || !a.checks.equal_variances || a.censored > 0;
}

std::optional<double> p_by_ranks(const Analysis& a, const std::string& factor) {
  const auto found = std::ranges::find(a.ranks, factor, &analysis::FactorRanks::factor);
  return found == a.ranks.end() ? std::nullopt : std::optional(found->p_holm);
}

double share_of(const Analysis& a, const AnovaRow& row) {
  if (!a.importance) return row.eta_squared;
  const auto found = std::ranges::find(a.importance->factors, row.term, &analysis::FactorImportance::factor);
  return found == a.importance->factors.end() ? row.eta_squared : found->share;
}

// Largest first, without the workloads: nobody chooses those.
std::vector<FactorWeight> weights_of(const Analysis& a) {
  std::vector<FactorWeight> weights;
  for (const AnovaRow& row : a.anova.rows) {
    if (row.factors.size() != 1 || row.df == 0 || a.table.group == row.factors.front()) continue;
    std::optional<double> p = row.p;
    if (ranks_are_safer(a)) p = p_by_ranks(a, row.term) ? p_by_ranks(a, row.term) : p;
    weights.push_back({row.term, std::clamp(share_of(a, row), 0.0, 1.0), p});
  }
  std::ranges::stable_sort(weights, std::greater<>(), &FactorWeight::share);
  return weights;
}

std::string share_text(double share) {
  const long percent = std::lround(100 * share);
  return percent < 1 ? "less than 1 %" : std::to_string(percent) + " %";
}

std::string p_text(double p) {
  const std::string shown = analysis_cells::p_value(p).shown;
  return shown.starts_with("<") ? "p " + shown : "p = " + shown;
}

// "a, b and c"
std::string listed(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return join(parts, "");
  const std::vector<std::string> before(parts.begin(), parts.end() - 1);
  return join(before, ", ") + " and " + parts.back();
}

std::string what_matters(const Analysis& a, const std::vector<FactorWeight>& sure) {
  std::string text = sure.front().name +
                     (sure.size() > 1 ? " matters most: it explains " : " matters: it explains ") +
                     share_text(sure.front().share) + " of the variance of " + a.table.response + " (" +
                     p_text(*sure.front().p) + ")";
  std::vector<std::string> others;
  for (std::size_t i = 1; i < sure.size(); ++i) {
    others.push_back(sure[i].name + " (" + share_text(sure[i].share) + ", " + p_text(*sure[i].p) + ")");
  }
  return text + (others.empty() ? "." : "; then " + listed(others) + ".");
}

std::string what_acts_together(const Analysis& a) {
  std::vector<std::string> pairs;
  for (const AnovaRow& row : a.anova.rows) {
    if (row.factors.size() == 2 && row.p && *row.p < 1 - a.level) {
      pairs.push_back(row.term + " (" + p_text(*row.p) + ")");
    }
  }
  return pairs.empty() ? "" : " Factors that act together: " + listed(pairs) + ".";
}

std::string untested(const Analysis& a, const FactorWeight& first) {
  return "The results of " + a.table.response + " differ most between levels of " + first.name + " (" +
         share_text(first.share) +
         " of the variance), but nothing says how sure that is: there are as many effects as runs. Repeat "
         "some runs.";
}

}  // namespace

std::string analysis_verdict(const Analysis& a) {
  const std::vector<FactorWeight> weights = weights_of(a);
  if (weights.empty()) return "No factor can be judged by itself: other factors determine each.";
  const auto tested = [](const FactorWeight& w) { return w.p.has_value(); };
  if (std::ranges::none_of(weights, tested)) return untested(a, weights.front());
  std::vector<FactorWeight> sure;
  std::vector<std::string> unsure;
  for (const FactorWeight& each : weights) {
    if (each.p && *each.p < 1 - a.level) sure.push_back(each);
    if (!each.p || *each.p >= 1 - a.level) unsure.push_back(each.name);
  }
  std::string text = sure.empty() ? "" : what_matters(a, sure) + what_acts_together(a);
  if (!unsure.empty()) {
    text += (sure.empty() ? "There" : " There") + std::string(" is no evidence that ") + listed(unsure) +
            (unsure.size() == 1 ? " matters" : " matter") +
            "; an effect may still be too small for so few runs to show.";
  }
  if (ranks_are_safer(a) && !a.ranks.empty()) text += " The p values of factors are by ranks.";
  return text;
}

}  // namespace sextant::report
