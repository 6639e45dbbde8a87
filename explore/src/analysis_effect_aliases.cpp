#include <algorithm>

#include "analysis_model_terms.h"
#include "sextant/explore/analysis/effect_aliases.h"

namespace sextant {
namespace {

constexpr std::size_t kMostFactors = 12;
constexpr double kNothingLeft = 1e-10;  // of a column's norm

// Whether the blocks give every column, without taking up all the runs.
bool determine(const std::vector<Eigen::MatrixXd>& blocks, const Eigen::MatrixXd& columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const Eigen::VectorXd centred = columns.col(j).array() - columns.col(j).mean();
    const analysis::Projection projection = analysis::project(blocks, centred);
    if (projection.rank >= centred.size() - 1) return false;
    if ((centred - projection.fitted).norm() > kNothingLeft * centred.norm()) return false;
  }
  return true;
}

}  // namespace

std::vector<EffectAlias> effect_aliases(const AnalysisTable& table) {
  const std::size_t count = table.factors.size();
  if (count > kMostFactors) return {};
  std::vector<Eigen::MatrixXd> blocks;
  for (const AnalysisFactor& factor : table.factors) blocks.push_back(analysis::factor_columns(factor));
  std::vector<EffectAlias> out;
  for (std::size_t f = 0; f < count; ++f) {
    if (table.factors[f].covariate) continue;
    EffectAlias alias{.factor = table.factors[f].name, .interactions = {}};
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (a == f || b == f || table.factors[a].covariate || table.factors[b].covariate) continue;
        const bool mains =
            determine({blocks[a], blocks[b]}, blocks[f]);  // no interaction needed: see the ANOVA
        const Eigen::MatrixXd products = analysis::term_columns(table, {a, b});
        if (mains || !determine({blocks[a], blocks[b], products}, blocks[f])) continue;
        alias.interactions.push_back(analysis::term_name(table, {a, b}));
      }
    }
    if (!alias.interactions.empty()) out.push_back(std::move(alias));
  }
  return out;
}

}  // namespace sextant
