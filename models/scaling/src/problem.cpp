#include "problem.h"

#include <algorithm>
#include <cmath>

namespace sextant::scaling {
namespace {

constexpr double kKnotDeviation = 0.3;  // libraries change kernels between batches

using CellKey = std::pair<std::string, std::string>;

class Builder {
 public:
  Builder(ScalingModel& model, bool new_model) : model_(model), new_model_(new_model) {}

  Problem build(std::span<const ScalingRow> rows) {
    add_knots(rows);
    for (std::size_t c = 0; new_model_ && c < kScalingCoefficients; ++c) model_.shared[c] = kPriors[c].mean;
    for (const auto& row : rows) problem_.rows.push_back(row_terms(row));
    return std::move(problem_);
  }

 private:
  // The batch sizes of a cell, each with its departure from the line.
  void add_knots(std::span<const ScalingRow> rows) {
    for (const auto& row : rows) {
      auto& knots = model_.cells[{row.at.net, row.at.cluster}].knots;
      const double at = std::log(row.at.batch);
      const auto place = std::ranges::lower_bound(knots, at, {}, &ScalingKnot::log_batch);
      if (place == knots.end() || place->log_batch != at) knots.insert(place, {at, 0});
    }
  }

  std::size_t cell_of(const CellKey& key) {
    const auto [place, fresh] = cell_ids_.emplace(key, problem_.cells.size());
    if (fresh) problem_.cells.emplace_back();
    return place->second;
  }

  // A value becomes free when the first row depends on it, unless it is certain or the model's to keep.
  int index_of(std::vector<FreeValue>& values, double& value, double deviation) {
    if (deviation <= 0) return -1;
    const auto [place, fresh] = indices_.emplace(&value, static_cast<int>(values.size()));
    if (fresh) values.push_back({&value, value, deviation});
    return place->second;
  }

  RowTerms row_terms(const ScalingRow& row) {
    const CellKey key{row.at.net, row.at.cluster};
    RowTerms out{
        {}, std::log(row.at.batch), std::log(row.step.value), links_of(row.at.placement), cell_of(key)};
    ScalingCell& cell = model_.cells[key];
    ScalingNet& net = model_.nets[row.at.net];
    auto& global = problem_.global;
    auto& own = problem_.cells[out.cell];
    for (const LawTerm& by : terms_of(row.at.placement, {net.sync, net.fixed, cell.fixed_here})) {
      if (by.value == 0) continue;
      const std::size_t c = by.coefficient;
      const Prior& prior = kPriors[c];
      const auto add = [&](double& value, int index, bool of_cell) {
        out.terms.push_back({&value, by.value, prior.part, index, of_cell});
      };
      double& shared = model_.shared[c];
      double& at_cluster = model_.clusters[row.at.cluster].effects[c];
      add(shared, new_model_ ? index_of(global, shared, prior.shared) : -1, false);
      add(at_cluster, new_model_ ? index_of(global, at_cluster, prior.cluster) : -1, false);
      add(net.effects[c], index_of(global, net.effects[c], prior.network), false);
      add(cell.effects[c], index_of(own, cell.effects[c], prior.cell), true);
    }
    const auto knot = std::ranges::lower_bound(cell.knots, out.log_batch, {}, &ScalingKnot::log_batch);
    const int index = index_of(own, knot->departure, kKnotDeviation);
    out.terms.push_back({&knot->departure, 1, Part::compute, index, true});
    return out;
  }

  ScalingModel& model_;
  bool new_model_;
  Problem problem_;
  std::map<const double*, int> indices_;
  std::map<CellKey, std::size_t> cell_ids_;
};

}  // namespace

Problem make_problem(ScalingModel& model, std::span<const ScalingRow> rows, bool new_model) {
  return Builder(model, new_model).build(rows);
}

LawPoint evaluate(const RowTerms& row) {
  LawInputs inputs;
  for (const auto& term : row.terms) part_of(inputs, term.part) += *term.value * term.weight;
  return law(inputs, row.log_batch, row.links);
}

}  // namespace sextant::scaling
