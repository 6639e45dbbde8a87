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
  double share = 0;                   // of the variance
  std::optional<double> p = {};       // nothing: not tested
  std::optional<double> rank_p = {};  // by aligned ranks, where a check of the model failed

  [[nodiscard]] bool sure(double level) const { return p && most_p() < 1 - level; }
  [[nodiscard]] bool unclear(double level) const { return p && least_p() < 1 - level && !sure(level); }
  [[nodiscard]] double most_p() const { return std::max(*p, rank_p.value_or(0)); }
  [[nodiscard]] double least_p() const { return std::min(*p, rank_p.value_or(1)); }
};

// Whether the runs that did not complete make a factor matter: ranks put them behind all others.
bool matters_for_failures(const Analysis& a, const std::string& factor) {
  if (a.censored == 0) return false;
  const auto found = std::ranges::find(a.ranks, factor, &analysis::FactorRanks::factor);
  return found != a.ranks.end() && found->p_holm < 1 - a.level;
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
    weights.push_back({row.term, std::clamp(share_of(a, row), 0.0, 1.0), row.p, row.rank_p});
  }
  std::ranges::stable_sort(weights, std::greater<>(), &FactorWeight::share);
  return weights;
}

std::string share_text(double share) {
  const long percent = std::lround(100 * share);
  return percent < 1 ? "less than 1 %" : std::to_string(percent) + " %";
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
                     analysis_cells::p_text(sure.front().most_p()) + ")";
  std::vector<std::string> others;
  for (std::size_t i = 1; i < sure.size(); ++i) {
    others.push_back(sure[i].name + " (" + share_text(sure[i].share) + ", " +
                     analysis_cells::p_text(sure[i].most_p()) + ")");
  }
  return text + (others.empty() ? "." : "; then " + listed(others) + ".");
}

std::string what_acts_together(const Analysis& a) {
  std::vector<std::string> pairs;
  for (const AnovaRow& row : a.anova.rows) {
    if (row.factors.size() == 2 && row.clear(a.level)) {
      pairs.push_back(row.term + " (" + analysis_cells::p_text(std::max(*row.p, row.rank_p.value_or(0))) +
                      ")");
    }
  }
  return pairs.empty() ? "" : " Factors that act together: " + listed(pairs) + ".";
}

std::string untested(const Analysis& a, const FactorWeight& first) {
  return "The results of " + a.table.response + " differ most between levels of " + first.name + " (" +
         share_text(first.share) + " of the variance), but nothing says how sure that is: " +
         (a.anova.residual_df > 0 ? "the model gives every run exactly"
                                  : "there are as many effects as runs") +
         ". Repeat some runs.";
}

std::string what_is_unclear(const FactorWeight& factor) {
  return "It is unclear whether " + factor.name + " matters: " + analysis_cells::p_text(*factor.p) +
         " by F, " + analysis_cells::p_text(*factor.rank_p) + " by ranks.";
}

std::string what_is_not_shown(const std::vector<std::string>& unsure) {
  return "There is no evidence that " + listed(unsure) + (unsure.size() == 1 ? " matters" : " matter") +
         "; an effect may still be too small for so few runs to show.";
}

std::string what_failures_show(const std::vector<std::string>& factors) {
  return "If runs that did not complete count as the worst, there is evidence that " + listed(factors) +
         (factors.size() == 1 ? " matters (by ranks)." : " matter (by ranks).");
}

std::string how_it_was_tested(const Analysis& a, const std::vector<FactorWeight>& weights) {
  if (a.checks.hold()) return "";
  const auto ranked = [](const FactorWeight& w) { return w.rank_p.has_value(); };
  return std::ranges::any_of(weights, ranked)
             ? "Because a check failed, only what holds by F and by ranks counts as evidence."
             : "Because a check failed, the p values are approximate.";
}

}  // namespace

std::string analysis_verdict(const Analysis& a) {
  const std::vector<FactorWeight> weights = weights_of(a);
  if (weights.empty()) return "No factor can be judged by itself: other factors determine each.";
  const auto tested = [](const FactorWeight& w) { return w.p.has_value(); };
  if (std::ranges::none_of(weights, tested)) return untested(a, weights.front());
  std::vector<FactorWeight> sure;
  std::vector<std::string> unsure;
  std::vector<std::string> failures;
  std::vector<std::string> sentences;
  for (const FactorWeight& each : weights) {
    if (each.sure(a.level)) sure.push_back(each);
    if (each.sure(a.level) || each.unclear(a.level)) continue;
    (matters_for_failures(a, each.name) ? failures : unsure).push_back(each.name);
  }
  if (!sure.empty()) sentences.push_back(what_matters(a, sure) + what_acts_together(a));
  for (const FactorWeight& each : weights) {
    if (each.unclear(a.level)) sentences.push_back(what_is_unclear(each));
  }
  if (!failures.empty()) sentences.push_back(what_failures_show(failures));
  if (!unsure.empty()) sentences.push_back(what_is_not_shown(unsure));
  sentences.push_back(how_it_was_tested(a, weights));
  std::erase(sentences, "");
  return join(sentences, " ");
}

}  // namespace sextant::report
