#include "pattern_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sextant/solve/linear_program.h"

namespace sextant::capacity {
namespace {

constexpr int kBoundRounds = 60;
constexpr int kLeastBoundRounds = 4;
constexpr double kOptionRounds = 2e6;  // options that are looked at in all: a second or two
constexpr double kClose = 2e-4;        // of the cost: a bound so near the program's own is near enough
constexpr double kInertia = 0.6;       // of the best worths so far: those of the program alone jump about

constexpr double kShareRounding = 1e-6;

using solve::kUnbounded;
using solve::LinearTerm;

// Each job is part of a pattern or waits; patterns take nodes.
class PatternProgram {
 public:
  PatternProgram(const CostModel& model, double nodes) : program_(solve::Sense::minimise) {
    const auto jobs = static_cast<std::int32_t>(model.snapshot().jobs.size());
    for (std::int32_t job = 0; job < jobs; ++job) {
      rows_.push_back(program_.add_row(1, kUnbounded));
      most_.push_back(model.postponement(job));
      program_.add_column(most_.back(), 0, kUnbounded, std::vector<LinearTerm>{{rows_.back(), 1}});
    }
    nodes_ = program_.add_row(-kUnbounded, nodes);
  }

  void add(const NodePattern& pattern) {
    std::vector<LinearTerm> terms = {{nodes_, static_cast<double>(pattern.nodes)}};
    for (const PatternItem& item : pattern.items) terms.push_back({row(item.job), 1});
    columns_.push_back(program_.add_column(pattern.cost, 0, kUnbounded, terms));
    patterns_.push_back(pattern);
  }

  bool solve() {
    solution_ = program_.solve();
    return solution_.status == solve::SolveStatus::optimal;
  }
  [[nodiscard]] double cost() const { return solution_.objective; }
  [[nodiscard]] std::vector<double> worth() const {
    std::vector<double> worth;
    for (std::size_t job = 0; job < rows_.size(); ++job) {
      worth.push_back(std::clamp(solution_.duals[rows_[job]], 0.0, most_[job]));
    }
    return worth;
  }
  // What the last solution has of each pattern; the largest shares first.
  [[nodiscard]] std::vector<TakenPattern> taken() const {
    std::vector<TakenPattern> taken;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      const bool known = columns_[i] < solution_.columns.size();
      const double share = known ? solution_.columns[columns_[i]] : 0;
      if (share > kShareRounding) taken.push_back({.share = share, .items = patterns_[i].items});
    }
    std::ranges::stable_sort(taken, std::greater{}, &TakenPattern::share);
    return taken;
  }
  // What the program would gain by a unit of the pattern.
  [[nodiscard]] double gain(const NodePattern& pattern) const {
    double gain = solution_.duals[nodes_] * pattern.nodes - pattern.cost;
    for (const PatternItem& item : pattern.items) gain += solution_.duals[row(item.job)];
    return gain;
  }

 private:
  [[nodiscard]] std::size_t row(std::int32_t job) const { return rows_[static_cast<std::size_t>(job)]; }

  solve::LinearProgram program_;
  solve::Solution solution_;
  std::vector<std::size_t> rows_;  // by job
  std::vector<double> most_;       // by job: what waiting costs
  std::vector<NodePattern> patterns_;
  std::vector<std::size_t> columns_;  // by pattern
  std::size_t nodes_ = 0;
};

void add_known(PatternProgram& program, const PatternFinder& finder, const Layout& known) {
  for (std::int32_t node = 0; node < known.nodes(); ++node) {
    std::vector<PatternItem> items;
    bool first = true;
    for (const std::int32_t job : known.jobs_of(node)) {
      first = first && known.shares_of(job).front().node == node;
      items.push_back({job, known.option_of(job)});
    }
    if (first && !items.empty()) program.add(finder.pattern_of(std::move(items)));
  }
}

std::vector<double> mixed_worth(const std::vector<double>& a, const std::vector<double>& b, double weight) {
  std::vector<double> mixed;
  for (std::size_t i = 0; i < a.size(); ++i) mixed.push_back(weight * a[i] + (1 - weight) * b[i]);
  return mixed;
}

int rounds_for(const CostModel& model) {
  double options = 1;
  for (std::int32_t job = 0; static_cast<std::size_t>(job) < model.snapshot().jobs.size(); ++job) {
    options += static_cast<double>(model.options(job).size());
  }
  return std::clamp(static_cast<int>(kOptionRounds / options), kLeastBoundRounds, kBoundRounds);
}

}  // namespace

PatternPlan solved_patterns(const CostModel& model, std::vector<double> cheapest, const Layout& known) {
  const auto nodes = static_cast<double>(
      std::ranges::count_if(model.snapshot().nodes, [](const NodeState& node) { return !node.down; }));
  const PatternFinder finder(model);
  PatternProgram program(model, nodes);
  add_known(program, finder, known);
  double best = std::accumulate(cheapest.begin(), cheapest.end(), 0.0);
  std::vector<double> best_worth = std::move(cheapest);
  const int rounds = rounds_for(model);
  double inertia = kInertia;
  for (int round = 0; round < rounds && program.solve(); ++round) {
    if (program.cost() - best <= kClose * std::abs(program.cost())) break;
    const std::vector<double> worth = mixed_worth(best_worth, program.worth(), inertia);
    const std::vector<NodePattern> found = finder.best(worth);
    double bound = std::accumulate(worth.begin(), worth.end(), 0.0);
    if (!found.empty()) bound += nodes * std::min(0.0, found.front().loss / found.front().nodes);
    bool added = false;
    for (const NodePattern& pattern : found) {
      if (program.gain(pattern) <= 0) continue;
      program.add(pattern);
      added = true;
    }
    if (bound > best) {
      best = bound;
      best_worth = worth;
    }
    // Worths that bring nothing new to the program: its own say whether there is anything.
    if (!added && inertia == 0) break;
    inertia = added ? kInertia : 0;
  }
  return {.bound = best, .patterns = program.taken()};
}

}  // namespace sextant::capacity
