#include "share_level.h"

#include <algorithm>

#include "share_uniform.h"

namespace sextant::schedule {

namespace {

constexpr double kWorthless = 1e-9;  // part of all worths below which one is rounding

// The level becomes a floor, and the sum of levels the gain.
void ask_for_more(const ShareProgram& program, double level, ShareProgram& out) {
  out = program;
  out.floor.resize(program.jobs(), 0);
  out.gain.assign(program.rate.size(), 0);
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    if (program.demand[i] <= 0) continue;
    out.floor[i] += program.demand[i] * level;
    for (std::size_t j = 0; j < program.types; ++j) {
      const std::size_t ij = i * program.types + j;
      out.gain[ij] = program.rate[ij] / program.demand[i];
    }
  }
}

void no_shares(const ShareProgram& program, ShareOptimum& out) {
  out.feasible = true;
  out.value = 0;
  out.share.assign(program.rate.size(), 0);
  out.price.assign(program.types, 0);
  out.worth.assign(program.jobs(), 0);
}

}  // namespace

void LevelSolver::find_level(const ShareProgram& program, ShareOptimum& out) {
  const bool asked = std::ranges::any_of(program.demand, [](double demand) { return demand > 0; });
  if (!asked) return no_shares(program, out);
  simplex_.solve(program, out);
}

void LevelSolver::solve(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out) {
  if (is_uniform(program)) return fill_uniform(program, weight, out);
  find_level(program, out);
  share_rest(program, out);
}

void LevelSolver::share_rest(const ShareProgram& program, ShareOptimum& out) {
  if (!out.feasible || out.value <= 0) return;
  const double level = out.value;
  ask_for_more(program, level, rest_);
  simplex_.resume(rest_, out);
  treat_equals_equally(program, out);
  out.value = level;
}

void LevelSolver::fill(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out) {
  if (is_uniform(program)) return fill_uniform(program, weight, out);
  stage_ = program;
  stage_.floor.resize(program.jobs(), 0);
  find_level(stage_, out);
  while (out.feasible && freeze(out)) simplex_.resume(stage_, out);
  treat_equals_equally(program, out);
}

// The level reached becomes a floor. A job whose demand has a worth cannot exceed it in any optimum, by
// complementary slackness, and rises no more; there is at least one, since worths times demands sum to 1.
bool LevelSolver::freeze(const ShareOptimum& optimum) {
  double most = 0;
  for (std::size_t i = 0; i < stage_.jobs(); ++i) most = std::max(most, stage_.demand[i] * optimum.worth[i]);
  bool rising = false;
  for (std::size_t i = 0; i < stage_.jobs(); ++i) {
    stage_.floor[i] += stage_.demand[i] * std::max(0.0, optimum.value);
    if (stage_.demand[i] * optimum.worth[i] > std::min(kWorthless, most / 2) || most <= 0)
      stage_.demand[i] = 0;
    rising = rising || stage_.demand[i] > 0;
  }
  return rising;
}

}  // namespace sextant::schedule
