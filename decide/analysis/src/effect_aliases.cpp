#include "sextant/analysis/effect_aliases.h"

#include "run_cells.h"
#include "term_model.h"

namespace sextant::analysis {
namespace {

constexpr std::size_t kMostFactors = 12;
constexpr std::size_t kMostRuns = 2000;  // different ones
constexpr double kNothingLeft = 1e-10;   // of a column's norm

AnalysisTable without_covariates(const AnalysisTable& table) {
  AnalysisTable levels = table;
  std::erase_if(levels.factors, [](const AnalysisFactor& factor) { return factor.covariate; });
  return levels;
}

Eigen::MatrixXd centred(Eigen::MatrixXd columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const double norm = columns.col(j).norm();
    columns.col(j) = (columns.col(j).array() - columns.col(j).mean()) / (norm > 0 ? norm : 1);
  }
  return columns;
}

Eigen::MatrixXd side_by_side(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd out(a.rows(), a.cols() + b.cols());
  out << a, b;
  return out;
}

// What some columns give, in runs with so many degrees of freedom.
class Span {
 public:
  Span(const Eigen::MatrixXd& columns, Eigen::Index freedom)
      : qr_(columns), rank_(analysis::rank_of(qr_)), full_(rank_ >= freedom) {}

  // All those of the target; columns that take up all degrees of freedom say nothing.
  [[nodiscard]] bool gives(const Eigen::MatrixXd& target) const {
    if (full_) return false;
    const Eigen::MatrixXd turned = qr_.householderQ().adjoint() * target;
    for (Eigen::Index j = 0; j < target.cols(); ++j) {
      if (turned.col(j).tail(turned.rows() - rank_).norm() > kNothingLeft * target.col(j).norm())
        return false;
    }
    return true;
  }

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::Index rank_;
  bool full_;
};

}  // namespace

std::vector<EffectAlias> effect_aliases(const AnalysisTable& all) {
  if (all.factors.size() > kMostFactors) return {};
  const AnalysisTable table = without_covariates(all);
  // How often a run was made has no say in aliases.
  const std::vector<std::size_t> runs = analysis::run_cells(table).first;
  if (runs.size() > kMostRuns) return {};
  const auto freedom = static_cast<Eigen::Index>(all.rows()) - 1;
  const std::size_t count = table.factors.size();
  std::vector<Eigen::MatrixXd> blocks;
  for (const AnalysisFactor& factor : table.factors) {
    blocks.push_back(centred(analysis::factor_columns(factor, runs)));
  }
  std::vector<EffectAlias> out;
  for (const AnalysisFactor& factor : table.factors) out.push_back({factor.name, {}});
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      if (analysis::term_width(table, {a, b}) >= runs.size()) continue;
      const Eigen::MatrixXd mains = side_by_side(blocks[a], blocks[b]);
      const Span without(mains, freedom);
      const Span with(side_by_side(mains, centred(analysis::term_columns(table, {a, b}, runs))), freedom);
      for (std::size_t f = 0; f < count; ++f) {
        if (f == a || f == b || !with.gives(blocks[f])) continue;
        if (without.gives(blocks[f])) continue;  // no interaction needed: the ANOVA says so
        out[f].interactions.push_back(analysis::term_name(table, {a, b}));
      }
    }
  }
  std::erase_if(out, [](const EffectAlias& alias) { return alias.interactions.empty(); });
  return out;
}

}  // namespace sextant::analysis
