#include "sextant/analysis/anova.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run_cells.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "term_model.h"

namespace sextant::analysis {
namespace {

using analysis::TermModel;

constexpr std::size_t kNamedTerms = 5;
constexpr int kMostColumns = 1500;      // of a model: above, interactions are left out
constexpr std::size_t kMostTerms = 80;  // that the default takes

double residual_df(const TermModel& model) {
  return static_cast<double>(model.runs) - 1 - static_cast<double>(model.rank);
}

// Whether all interactions of two are taken without being asked for: a few seconds at most.
bool affordable(const AnalysisTable& table) {
  constexpr double kFew = 5e9;
  const auto width = static_cast<double>(analysis::model_width(table, 2));
  const std::size_t terms = table.factors.size() * (table.factors.size() + 1) / 2;
  const double fits = static_cast<double>(terms) * width * width * width;
  return terms <= kMostTerms && width <= kMostColumns && fits + analysis::model_work(table, 2) <= kFew;
}

// Interactions of two where the runs still say what chance does: at least as many degrees of freedom for the
// residual as there are factors.
TermModel default_model(const AnalysisTable& table, AnovaResult& result) {
  const std::size_t factors = table.factors.size();
  if (factors > 1 && affordable(table)) {
    TermModel model = analysis::term_model(table, 2);
    if (residual_df(model) >= std::max(2.0, static_cast<double>(factors))) {
      result.order = 2;
      return model;
    }
    result.notes.emplace_back("interactions are left out: the runs leave too little to estimate chance from");
  } else if (factors > 1) {
    result.notes.emplace_back(
        "interactions are left out: there are too many; ask for them with `order` 2, or with fewer factors");
  }
  result.order = 1;
  return analysis::term_model(table, 1);
}

bool is_balanced(const AnalysisTable& table) {
  std::size_t possible = 1;
  for (const AnalysisFactor& factor : table.factors) {
    if (factor.covariate) return false;
    possible *= factor.levels.size();
    if (possible > table.rows()) return false;
  }
  const analysis::RunCells cells = analysis::run_cells(table);
  return cells.size.size() == possible &&
         std::ranges::count(cells.size, cells.size.front()) == static_cast<std::ptrdiff_t>(possible);
}

// Where no column is given by others, what a term explains given all others follows from the coefficients b
// and their covariance V: b' V^-1 b over its own. One inverse serves all terms.
class GivenAllOthers {
 public:
  explicit GivenAllOthers(const TermModel& model) : model_(model) {
    if (model.rank < model.columns.cols()) return;
    const auto root = model.columns.triangularView<Eigen::Upper>();
    inverse_ = root.solve(Eigen::MatrixXd::Identity(model.rank, model.rank));
    coefficients_ = inverse_ * model.response;
  }
  [[nodiscard]] bool known() const { return inverse_.size() > 0; }
  [[nodiscard]] double ss(std::size_t term) const {
    const Eigen::Index first = model_.first[term];
    const Eigen::Index width = model_.width[term];
    const Eigen::HouseholderQR<Eigen::MatrixXd> covariance(inverse_.middleRows(first, width).transpose());
    const auto root = covariance.matrixQR().topRows(width).triangularView<Eigen::Upper>();
    return root.transpose().solve(coefficients_.segment(first, width)).squaredNorm();
  }

 private:
  const TermModel& model_;
  Eigen::MatrixXd inverse_;  // of the columns, which are triangular then
  Eigen::VectorXd coefficients_;
};

// Type II: given all terms that do not contain this one. Type III: given all others.
AnovaRow row_of(const TermModel& model, const GivenAllOthers& quick, std::size_t which, SumsOfSquares type) {
  const analysis::TermFactors& term = model.terms[which];
  std::vector<std::size_t> given;
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    const bool above = type == SumsOfSquares::type_two && analysis::contains(model.terms[t], term);
    if (t != which && !above) given.push_back(t);
  }
  AnovaRow row{.term = {}, .factors = term};
  if (quick.known() && given.size() + 1 == model.terms.size()) {
    row.df = static_cast<double>(model.width[which]);
    row.ss = quick.ss(which);
  } else {
    const analysis::Projection own = analysis::project_beyond(
        analysis::columns_of(model, given), analysis::columns_of(model, {which}), model.response);
    row.df = static_cast<double>(own.rank);
    row.ss = own.fitted.squaredNorm();
  }
  if (row.ss < kRounding * model.total_ss) row.ss = 0;
  return row;
}

void add_tests(AnovaRow& row, const AnovaResult& result) {
  const double total = result.total_ss;
  row.eta_squared = row.ss / total;
  const double own = row.ss + result.residual_ss;
  row.partial_eta_squared = own > 0 ? row.ss / own : 0;
  // Without any scatter an F is a ratio to rounding errors.
  if (!(result.residual_ss > 0) || row.df == 0) return;
  const double ms = result.residual_ms();
  row.omega_squared = std::max(0.0, (row.ss - row.df * ms) / (total + ms));
  row.f = row.ss / row.df / ms;
  row.p = upper_tail(stats::FisherF{row.df, result.residual_df}, *row.f);
}

void check(const AnalysisTable& table, const AnovaOptions& options) {
  if (std::ranges::find(table.censored, true) != table.censored.end()) {
    throw InputError({}, "analysis of variance: some rows are censored", "leave them out first");
  }
  if (table.factors.empty()) throw InputError({}, "an analysis of variance needs a factor", "name a column");
  if (options.order && (*options.order < 1 || *options.order > 4)) {
    throw InputError({}, "interactions of order " + std::to_string(*options.order), "1 to 4");
  }
  if (options.order && analysis::model_width(table, *options.order) > kMostColumns) {
    throw InputError({}, "there are more than 1500 interactions of levels",
                     "ask for a lower order, or name fewer factors");
  }
}

void add_notes(AnovaResult& result) {
  if (!(result.residual_df > 0)) {
    result.notes.emplace_back("as many parameters as runs: shares only, no tests; repeat runs to get them");
  } else if (!(result.residual_ss > 0)) {
    result.notes.emplace_back(
        "the model gives every run exactly, so no scatter is left to test against: shares only, no tests");
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
  const TermModel model =
      options.order ? analysis::term_model(table, *options.order) : default_model(table, result);
  if (options.order) result.order = *options.order;
  result.total_ss = model.total_ss;
  if (!(result.total_ss > 0))
    throw InputError({}, "the response never changes", "there is nothing to explain");
  result.residual_df = residual_df(model);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    result.fitted.push_back(model.fitted[i] + model.mean);
    result.residuals.push_back(table.y[i] - model.mean - model.fitted[i]);
    result.residual_ss += result.residuals.back() * result.residuals.back();
  }
  if (result.residual_df == 0 || result.residual_ss < kRounding * result.total_ss) result.residual_ss = 0;
  result.r2 = 1 - result.residual_ss / result.total_ss;
  if (result.residual_df > 0) {
    result.adjusted_r2 =
        1 - result.residual_ms() / (result.total_ss / (static_cast<double>(table.rows()) - 1));
  }
  const GivenAllOthers quick(model);
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    result.rows.push_back(row_of(model, quick, t, options.type));
    result.rows.back().term = analysis::term_name(table, model.terms[t]);
    add_tests(result.rows.back(), result);
  }
  add_notes(result);
  return result;
}

}  // namespace sextant::analysis
