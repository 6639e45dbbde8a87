#include "share_packing.h"

#include <algorithm>

#include "share_policy.h"

namespace sextant::schedule {

namespace {

constexpr double kWorthwhile = 1e-10;  // reduced cost, in levels of order 1
constexpr double kNoShare = 1e-12;
constexpr double kNoDemand = 1e-9;
constexpr std::size_t kMostRounds = 200;

}  // namespace

// Demands in units of the largest that there is, relative to the job's speed. One that is nothing beside it
// does not count: it would only spoil the numbers.
void PackedLevel::scale_demands(const ShareProgram& program) {
  unit_ = 0;
  demand_.assign(jobs_, 0);
  for (std::size_t i = 0; i < jobs_; ++i) {
    const double fastest = fastest_rate(program, i);
    if (fastest > 0) unit_ = std::max(unit_, program.demand[i] / fastest);
  }
  for (std::size_t i = 0; i < jobs_; ++i) {
    const double demand = program.demand[i] / unit_;
    if (demand > kNoDemand * fastest_rate(program, i)) demand_[i] = demand;
  }
}

// Rows of the master: capacities, then per job its time and its level.
void PackedLevel::start(const ShareProblem& problem, const ShareProgram& program,
                        solve::LinearProgram& master) {
  jobs_ = program.jobs();
  types_ = program.types;
  scale_demands(program);
  gain_.assign(jobs_, 0);
  columns_.clear();
  present_.assign(problem.pairs.size() * types_, false);
  for (const double capacity : program.capacity) master.add_row(-solve::kUnbounded, capacity);
  std::vector<solve::LinearTerm> level;
  for (std::size_t i = 0; i < jobs_; ++i) {
    master.add_row(-solve::kUnbounded, 1);
    const std::size_t row = master.add_row(0, solve::kUnbounded);
    if (demand_[i] > 0) level.push_back({row, -1});
  }
  master.add_column(1, 0, solve::kUnbounded, level);
  for (std::size_t i = 0; i < jobs_; ++i) {
    for (std::size_t j = 0; j < types_; ++j) {
      if (program.rate[i * types_ + j] > 0) add_single(program, {i, j}, master);
    }
  }
}

void PackedLevel::add_single(const ShareProgram& program, Column column, solve::LinearProgram& master) {
  const std::size_t i = column.row;
  const double level = demand_[i] > 0 ? program.rate[i * types_ + column.type] / demand_[i] : 0;
  const solve::LinearTerm terms[] = {
      {column.type, program.gpus[i]}, {types_ + 2 * i, 1}, {types_ + 2 * i + 1, level}};
  master.add_column(gain_[i] * level, 0, solve::kUnbounded, terms);
  columns_.push_back(column);
}

void PackedLevel::add_pair(const ShareProblem& problem, Column column, solve::LinearProgram& master) {
  const SharePair& pair = problem.pairs[column.row - jobs_];
  const double first = pair.first_rate[column.type] / demand_[pair.first];
  const double second = pair.second_rate[column.type] / demand_[pair.second];
  const solve::LinearTerm terms[] = {{column.type, static_cast<double>(problem.jobs[pair.first].gpus)},
                                     {types_ + 2 * pair.first, 1},
                                     {types_ + 2 * pair.second, 1},
                                     {types_ + 2 * pair.first + 1, first},
                                     {types_ + 2 * pair.second + 1, second}};
  master.add_column(gain_[pair.first] * first + gain_[pair.second] * second, 0, solve::kUnbounded, terms);
  columns_.push_back(column);
  present_[(column.row - jobs_) * types_ + column.type] = true;
}

void PackedLevel::read_duals(const solve::Solution& solution) {
  price_.assign(solution.duals.begin(), solution.duals.begin() + static_cast<std::ptrdiff_t>(types_));
  rent_.assign(jobs_, 0);
  worth_.assign(jobs_, 0);
  for (std::size_t i = 0; i < jobs_; ++i) {
    rent_[i] = solution.duals[types_ + 2 * i];
    worth_[i] = -solution.duals[types_ + 2 * i + 1] + gain_[i];
  }
}

void PackedLevel::price(const ShareProblem& problem) {
  priced_.clear();
  for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
    const SharePair& pair = problem.pairs[p];
    const std::size_t a = pair.first;
    const std::size_t b = pair.second;
    if (pair.first_rate == nullptr || !(demand_[a] > 0) || !(demand_[b] > 0)) continue;
    const double first = worth_[a] / demand_[a];
    const double second = worth_[b] / demand_[b];
    const double gpus = problem.jobs[a].gpus;
    for (std::size_t j = 0; j < types_; ++j) {
      if (!(pair.first_rate[j] > 0 || pair.second_rate[j] > 0) || gpus > problem.gpus[j]) continue;
      const double reduced =
          first * pair.first_rate[j] + second * pair.second_rate[j] - rent_[a] - rent_[b] - gpus * price_[j];
      if (reduced > kWorthwhile && !present_[p * types_ + j]) priced_.push_back({reduced, {jobs_ + p, j}});
    }
  }
}

void PackedLevel::add_best(const ShareProblem& problem, std::size_t most, solve::LinearProgram& master) {
  const auto better = [](const Priced& left, const Priced& right) {
    if (left.reduced != right.reduced) return left.reduced > right.reduced;
    return left.column.row != right.column.row ? left.column.row < right.column.row
                                               : left.column.type < right.column.type;
  };
  const std::size_t count = std::min(most, priced_.size());
  std::partial_sort(priced_.begin(), priced_.begin() + static_cast<std::ptrdiff_t>(count), priced_.end(),
                    better);
  for (std::size_t k = 0; k < count; ++k) add_pair(problem, priced_[k].column, master);
}

bool PackedLevel::generate(const ShareProblem& problem, solve::LinearProgram& master, PackedOptimum& out) {
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    const solve::Solution solution = master.solve();
    ++out.rounds;
    if (solution.status != solve::SolveStatus::optimal) return false;
    store(solution, problem, out);
    read_duals(solution);
    price(problem);
    if (priced_.empty()) return true;
    add_best(problem, jobs_, master);
  }
  return false;
}

void PackedLevel::store(const solve::Solution& solution, const ShareProblem& problem,
                        PackedOptimum& out) const {
  out.level = solution.columns[0];
  out.share.assign((jobs_ + problem.pairs.size()) * types_, 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double value = solution.columns[c + 1];
    out.share[columns_[c].row * types_ + columns_[c].type] = value > kNoShare ? std::min(value, 1.0) : 0;
  }
}

// Duals of the jobs alone: pairs that would pay at them are the first to be there.
void PackedLevel::guess_duals(const ShareProgram& program) {
  simplex_.solve(program, alone_);
  price_.assign(types_, 0);
  for (std::size_t j = 0; j < types_ && alone_.feasible; ++j) price_[j] = alone_.price[j] * unit_;
  worth_.assign(jobs_, 0);
  rent_.assign(jobs_, 0);
  for (std::size_t i = 0; i < jobs_; ++i) {
    worth_[i] = !alone_.feasible ? 0 : alone_.worth[i] * unit_ * demand_[i];
    for (std::size_t j = 0; j < types_ && alone_.feasible; ++j) {
      const double earned = alone_.worth[i] * unit_ * program.rate[i * types_ + j];
      rent_[i] = std::max(rent_[i], earned - program.gpus[i] * price_[j]);
    }
  }
}

// The level is kept, and the sum of levels sought.
void PackedLevel::seek_rest(const ShareProblem& problem, const ShareProgram& program,
                            solve::LinearProgram& master, double level) {
  master.set_column_bounds(0, level, level);
  master.set_objective(0, 0);
  for (std::size_t i = 0; i < jobs_; ++i) gain_[i] = demand_[i] > 0 ? 1 : 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t j = columns_[c].type;
    double gain = 0;
    if (columns_[c].row < jobs_) {
      const std::size_t i = columns_[c].row;
      if (demand_[i] > 0) gain = program.rate[i * types_ + j] / demand_[i];
    } else {
      const SharePair& pair = problem.pairs[columns_[c].row - jobs_];
      gain = pair.first_rate[j] / demand_[pair.first] + pair.second_rate[j] / demand_[pair.second];
    }
    master.set_objective(c + 1, gain);
  }
}

void PackedLevel::solve(const ShareProblem& problem, const ShareProgram& program, PackedOptimum& out) {
  out = {};
  out.share.assign((program.jobs() + problem.pairs.size()) * program.types, 0);
  out.feasible = true;
  if (std::ranges::none_of(program.demand, [](double demand) { return demand > 0; })) return;
  solve::LinearProgram master(solve::Sense::maximise);
  start(problem, program, master);
  guess_duals(program);
  price(problem);
  add_best(problem, 2 * jobs_, master);
  out.feasible = generate(problem, master, out);
  if (!out.feasible) return;
  const PackedOptimum reached = out;
  seek_rest(problem, program, master, reached.level);
  if (!generate(problem, master, out)) out.share = reached.share;
  out.level = reached.level / unit_;
  out.columns = columns_.size();
}

}  // namespace sextant::schedule
