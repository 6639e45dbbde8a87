#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis_model_terms.h"
#include "sextant/core/error.h"
#include "sextant/core/stats/distributions.h"
#include "sextant/core/stats/summary.h"
#include "sextant/explore/analysis/anova.h"

namespace sextant {
namespace {

using analysis::Projection;
using analysis::TermFactors;

constexpr double kRounding = 1e-20;  // of the total: what is left of a sum of squares that is 0
constexpr std::size_t kNamedTerms = 5;
constexpr int kMostColumns = 1500;      // of a model: above, interactions are left out
constexpr std::size_t kMostTerms = 80;  // that the default takes

struct Model {
  std::vector<TermFactors> terms;
  std::vector<Eigen::MatrixXd> blocks;
  Eigen::VectorXd centred;
  Projection full;
};

Model model_of(const AnalysisTable& table, int order) {
  Model model;
  model.terms = analysis::terms_up_to(table.factors.size(), order);
  model.blocks.reserve(model.terms.size());
  for (const TermFactors& term : model.terms) model.blocks.push_back(analysis::term_columns(table, term));
  model.centred = analysis::centred_response(table);
  model.full = analysis::project(model.blocks, model.centred);
  return model;
}

std::size_t width_of(const AnalysisTable& table, int order) {
  std::size_t width = 0;
  for (const TermFactors& term : analysis::terms_up_to(table.factors.size(), order)) {
    std::size_t columns = 1;
    for (const std::size_t f : term) {
      columns *= table.factors[f].covariate ? 1 : table.factors[f].levels.size() - 1;
    }
    width += columns;
  }
  return width;
}

double residual_df(const AnalysisTable& table, const Model& model) {
  return static_cast<double>(table.rows()) - 1 - static_cast<double>(model.full.rank);
}

// Interactions of two where the runs still say what chance does: at least as many degrees of freedom for the
// residual as there are factors.
Model default_model(const AnalysisTable& table, AnovaResult& result) {
  const std::size_t factors = table.factors.size();
  const bool few = factors * (factors + 1) / 2 <= kMostTerms && width_of(table, 2) <= kMostColumns;
  if (factors > 1 && few) {
    Model model = model_of(table, 2);
    if (residual_df(table, model) >= std::max(2.0, static_cast<double>(factors))) {
      result.order = 2;
      return model;
    }
    result.notes.emplace_back("interactions are left out: the runs leave too little to estimate chance from");
  } else if (factors > 1) {
    result.notes.emplace_back(
        "interactions are left out: there are too many; ask for them with fewer factors");
  }
  result.order = 1;
  return model_of(table, 1);
}

bool is_balanced(const AnalysisTable& table) {
  std::map<std::vector<std::size_t>, std::size_t> cells;
  std::size_t possible = 1;
  for (const AnalysisFactor& factor : table.factors) {
    if (factor.covariate) return false;
    possible *= factor.levels.size();
    if (possible > table.rows()) return false;
  }
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::vector<std::size_t> cell;
    for (const AnalysisFactor& factor : table.factors) cell.push_back(factor.level[i]);
    ++cells[cell];
  }
  const std::size_t each = cells.begin()->second;
  return cells.size() == possible &&
         std::ranges::all_of(cells, [&](const auto& cell) { return cell.second == each; });
}

// Type II: all terms that do not contain this one, with and without it. Type III: all others.
AnovaRow row_of(const AnalysisTable& table, const Model& model, std::size_t which, SumsOfSquares type) {
  const TermFactors& term = model.terms[which];
  std::vector<Eigen::MatrixXd> others;
  bool all = true;  // that `with` would hold is the whole model
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    if (t == which) continue;
    if (type == SumsOfSquares::type_two && analysis::contains(model.terms[t], term)) {
      all = false;
      continue;
    }
    others.push_back(model.blocks[t]);
  }
  const Projection without = analysis::project(others, model.centred);
  if (!all) others.push_back(model.blocks[which]);
  const Projection with = all ? model.full : analysis::project(others, model.centred);
  AnovaRow row{.term = analysis::term_name(table, term), .factors = term};
  row.df = static_cast<double>(with.rank - without.rank);
  row.ss = row.df > 0 ? (with.fitted - without.fitted).squaredNorm() : 0;
  if (row.ss < kRounding * model.centred.squaredNorm()) row.ss = 0;
  return row;
}

void add_tests(AnovaRow& row, const AnovaResult& result) {
  const double total = result.total_ss;
  row.eta_squared = row.ss / total;
  const double own = row.ss + result.residual_ss;
  row.partial_eta_squared = own > 0 ? row.ss / own : 0;
  if (!(result.residual_df > 0) || row.df == 0) return;
  const double ms = result.residual_ms();
  row.omega_squared = std::max(0.0, (row.ss - row.df * ms) / (total + ms));
  if (ms > 0) {
    row.f = row.ss / row.df / ms;
  } else {
    row.f = row.ss > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  row.p = upper_tail(FisherF{row.df, result.residual_df}, *row.f);
}

void check(const AnalysisTable& table, const AnovaOptions& options) {
  if (std::ranges::find(table.censored, true) != table.censored.end()) {
    throw InputError({}, "analysis of variance: some rows are censored", "leave them out first");
  }
  if (table.factors.empty()) throw InputError({}, "analysis of variance without a factor", "name a column");
  if (options.order && (*options.order < 1 || *options.order > 4)) {
    throw InputError({}, "interactions of order " + std::to_string(*options.order), "1 to 4");
  }
  if (options.order && width_of(table, *options.order) > kMostColumns) {
    throw InputError({}, "more than 1500 interactions of levels",
                     "ask for a lower order, or name fewer factors");
  }
}

void add_notes(AnovaResult& result) {
  if (!(result.residual_df > 0)) {
    result.notes.emplace_back("as many parameters as runs: shares only, no tests; repeat runs to get them");
  }
  std::string determined;
  std::size_t count = 0;
  for (const AnovaRow& row : result.rows) {
    if (row.df > 0) continue;
    if (++count <= kNamedTerms) determined += (determined.empty() ? "" : ", ") + row.term;
  }
  if (count > kNamedTerms) determined += " and " + std::to_string(count - kNamedTerms) + " more";
  if (count > 0) result.notes.push_back("other terms determine in these runs: " + determined);
}

}  // namespace

AnovaResult anova(const AnalysisTable& table, const AnovaOptions& options) {
  check(table, options);
  AnovaResult result{.type = options.type, .balanced = is_balanced(table)};
  Model model = options.order ? model_of(table, *options.order) : default_model(table, result);
  if (options.order) result.order = *options.order;
  result.total_ss = model.centred.squaredNorm();
  if (!(result.total_ss > 0))
    throw InputError({}, "the response never changes", "there is nothing to explain");
  const Eigen::VectorXd rest = model.centred - model.full.fitted;
  result.residual_df = residual_df(table, model);
  result.residual_ss = rest.squaredNorm();
  if (result.residual_df == 0 || result.residual_ss < kRounding * result.total_ss) result.residual_ss = 0;
  result.r2 = 1 - result.residual_ss / result.total_ss;
  if (result.residual_df > 0) {
    result.adjusted_r2 =
        1 - result.residual_ms() / (result.total_ss / (static_cast<double>(table.rows()) - 1));
  }
  const double centre = mean(table.y);
  for (Eigen::Index i = 0; i < rest.size(); ++i) {
    result.fitted.push_back(model.full.fitted(i) + centre);
    result.residuals.push_back(rest(i));
  }
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    result.rows.push_back(row_of(table, model, t, options.type));
    add_tests(result.rows.back(), result);
  }
  add_notes(result);
  return result;
}

}  // namespace sextant
