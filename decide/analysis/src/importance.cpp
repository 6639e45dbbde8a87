#include "sextant/analysis/importance.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sextant/core/error.h"
#include "term_model.h"

namespace sextant::analysis {
namespace {

// R^2 of the model of every subset of the factors; bit f of the index says that factor f is in it.
struct SubsetFits {
  std::vector<double> r2;
  std::vector<double> residual_df;
};

SubsetFits fit_subsets(const AnalysisTable& table, int order) {
  const analysis::TermModel model = analysis::term_model(table, order);
  std::vector<std::uint32_t> masks;
  for (const analysis::TermFactors& term : model.terms) {
    std::uint32_t mask = 0;
    for (const std::size_t f : term) mask |= 1U << f;
    masks.push_back(mask);
  }
  SubsetFits fits;
  for (std::uint32_t subset = 0; subset < (1U << table.factors.size()); ++subset) {
    std::vector<std::size_t> chosen;
    for (std::size_t t = 0; t < masks.size(); ++t) {
      if ((masks[t] & ~subset) == 0) chosen.push_back(t);
    }
    const auto projection = analysis::project(analysis::columns_of(model, chosen), model.response);
    fits.r2.push_back(projection.fitted.squaredNorm() / model.total_ss);
    fits.residual_df.push_back(static_cast<double>(model.runs) - 1 - static_cast<double>(projection.rank));
  }
  return fits;
}

std::vector<double> worths(const AnalysisTable& table, const SubsetFits& fits, bool adjusted) {
  if (!adjusted) return fits.r2;
  std::vector<double> worth;
  for (std::size_t s = 0; s < fits.r2.size(); ++s) {
    worth.push_back(1 - (1 - fits.r2[s]) * (static_cast<double>(table.rows()) - 1) / fits.residual_df[s]);
  }
  return worth;
}

// Share of the orders in which exactly `before` of the other factors come first.
double order_share(std::size_t factors, int before) {
  double share = 1 / static_cast<double>(factors);
  for (int i = 1; i <= before; ++i) share *= static_cast<double>(i) / static_cast<double>(factors - i);
  return share;
}

}  // namespace

Importance importance(const AnalysisTable& table, int order) {
  const std::size_t count = table.factors.size();
  if (count > kMostImportanceFactors)
    throw InputError({}, "the importance of more than 12 factors takes too long", "name fewer");
  const SubsetFits fits = fit_subsets(table, order);
  Importance result{.adjusted = fits.residual_df.back() > 0};
  const std::vector<double> worth = worths(table, fits, result.adjusted);
  result.explained = worth.back();
  for (std::size_t f = 0; f < count; ++f) {
    const std::uint32_t own = 1U << f;
    FactorImportance entry{.factor = table.factors[f].name};
    for (std::uint32_t subset = 0; subset < worth.size(); ++subset) {
      if ((subset & own) != 0) continue;
      entry.share += order_share(count, std::popcount(subset)) * (worth[subset | own] - worth[subset]);
    }
    entry.alone = worth[own];
    entry.last = worth.back() - worth[(worth.size() - 1) & ~static_cast<std::size_t>(own)];
    result.factors.push_back(std::move(entry));
  }
  std::ranges::stable_sort(result.factors, [](const auto& a, const auto& b) { return a.share > b.share; });
  return result;
}

}  // namespace sextant::analysis
