#include "share_simplex.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/infinity.h"

namespace sextant::schedule {

namespace {

constexpr double kReducedTolerance = 1e-11;
constexpr double kRatioTolerance = 1e-12;
constexpr double kFallTolerance = 1e-10;
constexpr double kRoundingShare = 1e-13;  // less is rounding
constexpr double kFloorsMet = 1 - 1e-9;   // of the floors
constexpr std::size_t kRefreshEvery = 60;
constexpr std::size_t kPart = 24;  // jobs priced at a time

}  // namespace

// Scales, and the columns that there are.
bool ShareSimplex::load(const ShareProgram& program) {
  const std::size_t n = program.types;
  const std::size_t m = program.jobs();
  if (n == 0 || n > kMaxShareTypes || m == 0) return false;
  basis_.reset(m, n);
  fastest_.assign(m, 1);
  for (std::size_t i = 0; i < m; ++i) {
    double fastest = 0;
    for (std::size_t j = 0; j < n; ++j) fastest = std::max(fastest, program.rate[i * n + j]);
    if (fastest > 0) fastest_[i] = fastest;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t ij = i * n + j;
      basis_.a[ij] = program.rate[ij] / fastest_[i];
      basis_.size[ij] = program.gpus[i] / program.capacity[j];
    }
  }
  double heaviest = 0;
  for (std::size_t i = 0; i < m; ++i) heaviest = std::max(heaviest, program.demand[i] / fastest_[i]);
  cursor_ = 0;
  level_scale_ = heaviest > 0 ? 1 / heaviest : 1;
  set_objective(program);
  return std::isfinite(heaviest);
}

void ShareSimplex::set_objective(const ShareProgram& program) {
  basis_.seeks_level = program.seeks_level();
  gain_scale_ = 0;
  for (const double gain : program.gain) gain_scale_ = std::max(gain_scale_, std::abs(gain));
  if (gain_scale_ == 0) gain_scale_ = 1;
  for (std::size_t ij = 0; ij < program.rate.size(); ++ij) {
    const double gain = program.seeks_level() ? 0 : program.gain[ij] / gain_scale_;
    basis_.cost[ij] = program.rate[ij] > 0 ? gain : -ShareBasis::kNever;
  }
}

void ShareSimplex::set_demands(const ShareProgram& program) {
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    basis_.pull[i] = program.seeks_level() ? program.demand[i] * level_scale_ / fastest_[i] : 0;
    basis_.push[i] = program.floor.empty() ? 0 : program.floor[i] / fastest_[i];
  }
}

// Where the level pulls, each job starts on the type that ends first when jobs are put there one by one.
void ShareSimplex::crash() {
  const std::size_t n = basis_.types();
  std::array<double, kMaxShareTypes> load{};
  for (std::size_t i = 0; i < basis_.jobs(); ++i) {
    std::uint32_t chosen = basis_.surplus();
    double least = kInfinity;
    for (std::uint32_t j = 0; j < n && basis_.pull[i] > 0; ++j) {
      const std::size_t ij = i * n + j;
      if (basis_.a[ij] <= 0) continue;
      const double time = basis_.pull[i] / basis_.a[ij];
      const double end = std::max(load[j] + time * basis_.size[ij], time);
      if (end >= least) continue;
      least = end;
      chosen = j;
    }
    if (chosen < n) load[chosen] += basis_.pull[i] / basis_.a[i * n + chosen] * basis_.size[i * n + chosen];
    basis_.set_keys(i, chosen, basis_.idle());
  }
}

double ShareSimplex::level_value() const {
  for (std::size_t c = 0; c < basis_.extras().size(); ++c) {
    if (basis_.extras()[c].block == ShareColumn::kLevel) return extras_[c];
  }
  return 0;
}

// Best share of one block to enter, if better than `best`.
ShareColumn ShareSimplex::enter_share(std::size_t block, double& best) const {
  const std::size_t n = basis_.types();
  const double rate = basis_.rate_dual(block, dual_);
  const double time = basis_.time_dual(block, dual_);
  const double noise = kReducedTolerance * (std::abs(rate) + std::abs(time));
  ShareColumn found;
  const auto consider = [&](double reduced, std::uint32_t column) {
    if (reduced - noise <= best) return;
    const ShareColumn candidate{static_cast<std::int32_t>(block), column};
    if (basis_.is_basic(candidate)) return;
    best = reduced - noise;
    found = candidate;
  };
  const double* a = basis_.a.data() + block * n;
  const double* size = basis_.size.data() + block * n;
  const double* cost = basis_.cost.data() + block * n;
  for (std::size_t j = 0; j < n; ++j) {
    consider(cost[j] - rate * a[j] - time - size[j] * dual_[j], static_cast<std::uint32_t>(j));
  }
  consider(rate, basis_.surplus());
  consider(-time, basis_.idle());
  return found;
}

// Largest reduced cost among a part of the jobs, which moves on from pivot to pivot (partial pricing). When
// many pivots gained nothing the first job that has a positive one, after Bland's rule, which seldom cycles;
// the limit on pivots ends what does.
ShareColumn ShareSimplex::enter(bool first_found, double& reduced) {
  ShareColumn found;
  double best = kReducedTolerance;
  const std::size_t m = basis_.jobs();
  const std::size_t part = first_found ? 1 : kPart;
  std::size_t block = first_found ? 0 : cursor_;
  for (std::size_t seen = 0; seen < m; ++seen) {
    if (seen % part == 0 && found.block != ShareColumn::kNone) break;
    const ShareColumn candidate = enter_share(block, best);
    if (candidate.block != ShareColumn::kNone) found = candidate;
    if (++block == m) block = 0;
  }
  cursor_ = block;
  if (basis_.seeks_level && !basis_.level_basic()) {
    const double level = level_reduced();
    if (level > best) {
      best = level;
      found = {ShareColumn::kLevel, 0};
    }
  }
  for (std::uint32_t j = 0; j < basis_.types(); ++j) {
    if (-dual_[j] <= best || basis_.is_basic({ShareColumn::kIdle, j})) continue;
    best = -dual_[j];
    found = {ShareColumn::kIdle, j};
  }
  reduced = best;
  return found;
}

double ShareSimplex::level_reduced() const {
  double reduced = 1;
  for (std::size_t i = 0; i < basis_.jobs(); ++i) reduced += basis_.pull[i] * basis_.rate_dual(i, dual_);
  return reduced;
}

// Harris' ratio test: among the columns that reach 0 within a tolerance of the first, the one that falls
// fastest, for the sake of the next inverse; with first_found the first of them (Bland).
ShareSimplex::Leaving ShareSimplex::leave(ShareColumn entering, double cap, bool first_found) const {
  const std::size_t skipped =
      basis_.pinned() < 0 ? basis_.key.size() : 2 * static_cast<std::size_t>(basis_.pinned()) + 1;
  double limit = kInfinity;
  for (const std::size_t k : basis_.moving) {
    const double fall = basis_.fall[k];
    if (fall <= kFallTolerance || basis_.value[k] + kRatioTolerance >= limit * fall || k == skipped) continue;
    limit = (basis_.value[k] + kRatioTolerance) / fall;
  }
  // What is left of an extra column, and how fast; the level has a cap too.
  ShareBasis::Vector left{};
  ShareBasis::Vector pace{};
  for (std::size_t c = 0; c < basis_.extras().size(); ++c) {
    const bool rises = basis_.extras()[c].block == ShareColumn::kLevel && extras_fall_[c] < 0;
    left[c] = rises ? cap - extras_[c] : extras_[c];
    pace[c] = rises ? (cap < kInfinity ? -extras_fall_[c] : 0) : extras_fall_[c];
    if (pace[c] > kFallTolerance) limit = std::min(limit, (left[c] + kRatioTolerance) / pace[c]);
  }
  Leaving out;
  double fastest = 0;
  const auto consider = [&](ShareColumn column, double rest, double fall) {
    if (first_found ? fastest > 0 : fall <= fastest) return;
    fastest = fall;
    out.column = column;
    out.step = std::max(0.0, rest / fall);
  };
  for (const std::size_t k : basis_.moving) {
    if (basis_.fall[k] <= kFallTolerance || basis_.value[k] > limit * basis_.fall[k] || k == skipped)
      continue;
    consider({static_cast<std::int32_t>(k / 2), basis_.key[k]}, basis_.value[k], basis_.fall[k]);
  }
  for (std::size_t c = 0; c < basis_.extras().size(); ++c) {
    if (pace[c] > kFallTolerance && left[c] <= limit * pace[c])
      consider(basis_.extras()[c], left[c], pace[c]);
  }
  out.reaches_cap = entering.block == ShareColumn::kLevel && cap <= limit;
  return out;
}

ShareSimplex::Ending ShareSimplex::run(double cap) {
  const std::size_t most = 1000 + 60 * basis_.jobs();
  const std::size_t patience = 50 + 2 * basis_.jobs();
  std::size_t stalled = 0;
  if (!basis_.refresh()) return Ending::failed;
  for (std::size_t pivot = 1; pivot <= most; ++pivot, ++pivots_) {
    if (pivot % kRefreshEvery == 0 && !basis_.refresh()) return Ending::failed;
    basis_.duals(dual_);
    basis_.extras_values(extras_);
    double reduced = 0;
    const bool first_found = stalled > patience;
    const ShareColumn entering = enter(first_found, reduced);
    if (entering.block == ShareColumn::kNone) return Ending::optimal;
    basis_.direction(entering, extras_fall_);
    basis_.move_keys(entering, extras_, extras_fall_);
    const Leaving leaving = leave(entering, cap, first_found);
    if (leaving.reaches_cap) return Ending::reached;
    if (leaving.column.block == ShareColumn::kNone) return Ending::failed;
    stalled = leaving.step * reduced > kRatioTolerance ? 0 : stalled + 1;
    if (!basis_.exchange(entering, leaving.column)) return Ending::failed;
    if (leaving.column.block == ShareColumn::kLevel && cap < kInfinity) return Ending::reached;
  }
  return Ending::failed;
}

// The level stays where it is, as a floor: another column takes its place, at 0, so that the rest is as it
// was.
bool ShareSimplex::drop_level() {
  if (!basis_.level_basic()) return true;
  basis_.seeks_level = true;
  if (!basis_.refresh()) return false;
  basis_.duals(dual_);
  ShareColumn best;
  double largest = 0;
  for (std::size_t i = 0; i < basis_.jobs(); ++i) {
    const double rate = basis_.rate_dual(i, dual_);
    const ShareColumn surplus{static_cast<std::int32_t>(i), basis_.surplus()};
    if (std::abs(rate) <= largest || basis_.is_basic(surplus)) continue;
    largest = std::abs(rate);
    best = surplus;
  }
  return best.block != ShareColumn::kNone && basis_.exchange(best, {ShareColumn::kLevel, 0});
}

// The largest part of the floors that can be met, as a level, until it is all of them.
bool ShareSimplex::meet_floors(const ShareProgram& program, ShareOptimum& out) {
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    basis_.pull[i] = program.floor[i] / fastest_[i];
    basis_.push[i] = 0;
  }
  basis_.seeks_level = true;
  crash();
  const Ending ending = run(1);
  if (ending == Ending::failed) return false;
  out.feasible = ending == Ending::reached || level_value() >= kFloorsMet;
  return drop_level();
}

bool ShareSimplex::solve_fast(const ShareProgram& program, ShareOptimum& out) {
  usable_ = false;
  out.feasible = true;
  if (!load(program)) return false;
  const bool floors = std::ranges::any_of(program.floor, [](double floor) { return floor > 0; });
  if (floors && !meet_floors(program, out)) return false;
  if (!out.feasible) return true;
  set_demands(program);
  basis_.seeks_level = program.seeks_level();
  if (!floors) crash();
  if (run(kInfinity) != Ending::optimal) return false;
  extract(program, out);
  return is_certified(program, out);
}

bool ShareSimplex::resume_fast(const ShareProgram& program, ShareOptimum& out) {
  if (!usable_ || !drop_level()) return false;
  usable_ = false;
  set_objective(program);
  set_demands(program);
  if (run(kInfinity) != Ending::optimal) return false;
  extract(program, out);
  return is_certified(program, out);
}

void ShareSimplex::solve(const ShareProgram& program, ShareOptimum& out) {
  usable_ = solve_fast(program, out);
  if (usable_) return;
  ++fallbacks_;
  out = solve_with_general_solver(program);
}

void ShareSimplex::resume(const ShareProgram& program, ShareOptimum& out) {
  usable_ = resume_fast(program, out);
  if (!usable_) solve(program, out);
}

void ShareSimplex::extract(const ShareProgram& program, ShareOptimum& out) {
  const std::size_t n = program.types;
  basis_.refresh();
  basis_.duals(dual_);
  basis_.extras_values(extras_);
  basis_.key_values(extras_);
  out.share.assign(program.rate.size(), 0);
  const auto set = [&](ShareColumn column, double value) {
    if (column.block < 0 || column.column >= n) return;
    out.share[static_cast<std::size_t>(column.block) * n + column.column] =
        value > kRoundingShare ? value : 0;
  };
  for (std::size_t k = 0; k < basis_.key.size(); ++k) {
    set({static_cast<std::int32_t>(k / 2), basis_.key[k]}, basis_.value[k]);
  }
  for (std::size_t c = 0; c < basis_.extras().size(); ++c) set(basis_.extras()[c], extras_[c]);
  const double unit = program.seeks_level() ? level_scale_ : gain_scale_;
  out.price.assign(n, 0);
  for (std::size_t j = 0; j < n; ++j) out.price[j] = std::max(0.0, dual_[j]) * unit / program.capacity[j];
  out.worth.assign(program.jobs(), 0);
  out.value = program.seeks_level() ? kInfinity : 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    out.worth[i] = std::max(0.0, -basis_.rate_dual(i, dual_)) * unit / fastest_[i];
    settle_job(program, i, out);
  }
  if (program.seeks_level() && out.value == kInfinity) out.value = 0;
}

// Shares of a job sum to at most 1 to the last bit; the level is what they give, not what the basis says.
void ShareSimplex::settle_job(const ShareProgram& program, std::size_t job, ShareOptimum& out) {
  const std::size_t n = program.types;
  double* share = out.share.data() + job * n;
  double time = 0;
  for (std::size_t j = 0; j < n; ++j) time += share[j];
  for (std::size_t j = 0; j < n && time > 1; ++j) share[j] /= time;
  double reached = program.floor.empty() ? 0 : -program.floor[job];
  for (std::size_t j = 0; j < n; ++j) {
    reached += program.rate[job * n + j] * share[j];
    if (!program.seeks_level()) out.value += program.gain[job * n + j] * share[j];
  }
  if (program.seeks_level() && program.demand[job] > 0) {
    out.value = std::min(out.value, reached / program.demand[job]);
  }
}

}  // namespace sextant::schedule
