#include "share_basis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace sextant::schedule {

namespace {

constexpr double kLeastDeterminant = 1e-8;
constexpr double kLeastPivot = 1e-11;

}  // namespace

void ShareBasis::reset(std::size_t jobs, std::size_t types) {
  jobs_ = jobs;
  types_ = types;
  for (auto* table : {&a, &size, &cost}) table->assign(jobs * types, 0);
  for (auto* list : {&pull, &push}) list->assign(jobs, 0);
  for (auto* list :
       {&inverse_rate, &inverse_time, &link_value, &key_cost, &value, &fall, &constant_, &per_level_}) {
    list->assign(2 * jobs, 0);
  }
  key.assign(2 * jobs, 0);
  all_.resize(2 * jobs);
  std::iota(all_.begin(), all_.end(), std::size_t{0});
  link_row.assign(2 * jobs, 0);
  basic_.assign(jobs, 0);
  crowded_.clear();
  idle_basic_ = (1U << types) - 1U;
  level_basic_ = false;
  pinned_ = -1;
  list_extras();
}

double ShareBasis::rate_entry(std::size_t block, std::uint32_t column) const {
  if (column < types_) return a[block * types_ + column];
  return column == surplus() ? -1.0 : 0.0;
}

double ShareBasis::cost_of(std::size_t block, std::uint32_t column) const {
  return seeks_level || column >= types_ ? 0.0 : cost[block * types_ + column];
}

void ShareBasis::set_keys(std::size_t block, std::uint32_t first, std::uint32_t second) {
  key[2 * block] = first;
  key[2 * block + 1] = second;
  basic_[block] = 1U << first | 1U << second;
}

// Inverse of the block's key columns and what follows from it.
void ShareBasis::derive(std::size_t block) {
  const std::size_t k0 = 2 * block;
  const std::size_t k1 = k0 + 1;
  const double rate0 = rate_entry(block, key[k0]);
  const double rate1 = rate_entry(block, key[k1]);
  const double time0 = time_entry(key[k0]);
  const double time1 = time_entry(key[k1]);
  const double determinant = rate0 * time1 - rate1 * time0;
  inverse_rate[k0] = time1 / determinant;
  inverse_time[k0] = -rate1 / determinant;
  inverse_rate[k1] = -time0 / determinant;
  inverse_time[k1] = rate0 / determinant;
  for (const std::size_t k : {k0, k1}) {
    constant_[k] = inverse_rate[k] * push[block] + inverse_time[k];
    per_level_[k] = inverse_rate[k] * pull[block];
    const std::uint32_t column = key[k];
    key_cost[k] = cost_of(block, column);
    const bool pin = column == surplus() && pinned_ == static_cast<std::int32_t>(block);
    link_row[k] = pin ? types_ : column < types_ ? column : 0;
    link_value[k] = pin ? 1.0 : column < types_ ? size[block * types_ + column] : 0.0;
  }
}

void ShareBasis::account(std::size_t block, double sign) {
  for (const std::size_t k : {2 * block, 2 * block + 1}) {
    sum_constant_[link_row[k]] += sign * link_value[k] * constant_[k];
    sum_per_level_[link_row[k]] += sign * link_value[k] * per_level_[k];
  }
}

bool ShareBasis::refresh() {
  sum_constant_.fill(0);
  sum_per_level_.fill(0);
  for (std::size_t block = 0; block < jobs_; ++block) {
    derive(block);
    account(block, 1);
  }
  return factor();
}

// Column of the working matrix: the linking part, less what the keys of its block contribute.
void ShareBasis::reduced_column(ShareColumn column, Vector& out) const {
  if (column.block == ShareColumn::kLevel) {
    out = sum_per_level_;
    return;
  }
  out.fill(0);
  if (column.block == ShareColumn::kIdle) {
    out[column.column] = 1;
    return;
  }
  const auto block = static_cast<std::size_t>(column.block);
  if (column.column < types_) out[column.column] = size[block * types_ + column.column];
  const double rate = rate_entry(block, column.column);
  const double time = time_entry(column.column);
  for (const std::size_t k : {2 * block, 2 * block + 1}) {
    out[link_row[k]] -= link_value[k] * (inverse_rate[k] * rate + inverse_time[k] * time);
  }
}

// Gaussian elimination with row exchanges: lu_ holds L below the diagonal and U on and above it.
bool ShareBasis::factor() {
  const std::size_t n = order();
  if (extras_.size() != n) return false;
  Vector column;
  for (std::size_t c = 0; c < n; ++c) {
    reduced_column(extras_[c], column);
    for (std::size_t r = 0; r < n; ++r) lu_[r * kOrder + c] = column[r];
    order_of_rows_[c] = c;
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::abs(lu_[r * kOrder + c]) > std::abs(lu_[best * kOrder + c])) best = r;
    }
    if (std::abs(lu_[best * kOrder + c]) < kLeastPivot) return false;
    if (best != c) {
      std::swap(order_of_rows_[best], order_of_rows_[c]);
      for (std::size_t k = 0; k < n; ++k) std::swap(lu_[best * kOrder + k], lu_[c * kOrder + k]);
    }
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = lu_[r * kOrder + c] /= lu_[c * kOrder + c];
      if (factor == 0) continue;
      for (std::size_t k = c + 1; k < n; ++k) lu_[r * kOrder + k] -= factor * lu_[c * kOrder + k];
    }
  }
  return true;
}

void ShareBasis::solve_working(const Vector& right, Vector& out) const {
  const std::size_t n = order();
  for (std::size_t r = 0; r < n; ++r) {
    double sum = right[order_of_rows_[r]];
    for (std::size_t k = 0; k < r; ++k) sum -= lu_[r * kOrder + k] * out[k];
    out[r] = sum;
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) out[r] -= lu_[r * kOrder + k] * out[k];
    out[r] /= lu_[r * kOrder + r];
  }
}

void ShareBasis::extras_values(Vector& out) const {
  Vector right{};
  for (std::size_t r = 0; r < order(); ++r) right[r] = (r < types_ ? 1.0 : 0.0) - sum_constant_[r];
  solve_working(right, out);
}

void ShareBasis::direction(ShareColumn entering, Vector& out) const {
  Vector right;
  reduced_column(entering, right);
  solve_working(right, out);
}

// Transposed system: U^T, then L^T, then the exchanges undone.
void ShareBasis::duals(Vector& out) const {
  const std::size_t n = order();
  Vector middle{};
  for (std::size_t c = 0; c < n; ++c) {
    double sum = 0;
    const ShareColumn column = extras_[c];
    if (column.block == ShareColumn::kLevel) {
      sum = seeks_level ? 1 : 0;
    } else if (column.block >= 0) {
      const auto block = static_cast<std::size_t>(column.block);
      const double rate = rate_entry(block, column.column);
      const double time = time_entry(column.column);
      sum = cost_of(block, column.column);
      for (const std::size_t k : {2 * block, 2 * block + 1}) {
        sum -= key_cost[k] * (inverse_rate[k] * rate + inverse_time[k] * time);
      }
    }
    for (std::size_t k = 0; k < c; ++k) sum -= lu_[k * kOrder + c] * middle[k];
    middle[c] = sum / lu_[c * kOrder + c];
  }
  for (std::size_t c = n; c-- > 0;) {
    for (std::size_t k = c + 1; k < n; ++k) middle[c] -= lu_[k * kOrder + c] * middle[k];
  }
  out.fill(0);
  for (std::size_t r = 0; r < n; ++r) out[order_of_rows_[r]] = middle[r];
}

double ShareBasis::level_among(const Vector& extras) const {
  for (std::size_t c = 0; c < extras_.size(); ++c) {
    if (extras_[c].block == ShareColumn::kLevel) return extras[c];
  }
  return 0;
}

void ShareBasis::key_values(const Vector& extras) {
  const double level = level_among(extras);
  for (std::size_t k = 0; k < value.size(); ++k) value[k] = constant_[k] + per_level_[k] * level;
  for (std::size_t c = 0; c < extras_.size(); ++c) add_own(extras_[c], -extras[c], value);
}

void ShareBasis::move_keys(ShareColumn entering, const Vector& extras, const Vector& extras_fall) {
  const bool enters_level = entering.block == ShareColumn::kLevel;
  moving.clear();
  if (level_basic_ || enters_level) {
    moving = all_;
    const double level = level_among(extras);
    const double fall_of_level = enters_level ? -1 : level_among(extras_fall);
    for (std::size_t k = 0; k < value.size(); ++k) value[k] = constant_[k] + per_level_[k] * level;
    for (std::size_t k = 0; k < fall.size(); ++k) fall[k] = per_level_[k] * fall_of_level;
  } else {
    const auto add_block = [&](std::size_t block) {
      for (const std::size_t k : {2 * block, 2 * block + 1}) {
        moving.push_back(k);
        value[k] = constant_[k];
        fall[k] = 0;
      }
    };
    for (const std::size_t block : crowded_) add_block(block);
    const bool own = entering.block >= 0;
    const auto block = static_cast<std::size_t>(entering.block);
    if (own && std::ranges::find(crowded_, block) == crowded_.end()) add_block(block);
  }
  for (std::size_t c = 0; c < extras_.size(); ++c) {
    add_own(extras_[c], -extras[c], value);
    add_own(extras_[c], -extras_fall[c], fall);
  }
  add_own(entering, 1, fall);
}

// Adds `amount` of a column of a block to the keys of that block.
void ShareBasis::add_own(ShareColumn column, double amount, std::vector<double>& keys) const {
  if (column.block < 0) return;
  const auto block = static_cast<std::size_t>(column.block);
  const double rate = rate_entry(block, column.column);
  const double time = time_entry(column.column);
  for (const std::size_t k : {2 * block, 2 * block + 1}) {
    keys[k] += amount * (inverse_rate[k] * rate + inverse_time[k] * time);
  }
}

bool ShareBasis::is_basic(ShareColumn column) const {
  if (column.block == ShareColumn::kLevel) return level_basic_;
  const std::uint32_t set =
      column.block == ShareColumn::kIdle ? idle_basic_ : basic_[static_cast<std::size_t>(column.block)];
  return (set >> column.column & 1U) != 0;
}

void ShareBasis::flip(ShareColumn column) {
  if (column.block == ShareColumn::kLevel) {
    level_basic_ = !level_basic_;
  } else if (column.block == ShareColumn::kIdle) {
    idle_basic_ ^= 1U << column.column;
  } else {
    basic_[static_cast<std::size_t>(column.block)] ^= 1U << column.column;
  }
}

// The two basic columns that are furthest from parallel; with fewer than two that are not, one and the pinned
// surplus.
bool ShareBasis::choose_keys(std::size_t block) {
  double best = kLeastDeterminant;
  bool found = false;
  std::uint32_t single = idle() + 1;
  for (std::uint32_t first = 0; first <= idle(); ++first) {
    if ((basic_[block] >> first & 1U) == 0) continue;
    if (first != surplus()) single = first;
    for (std::uint32_t second = first + 1; second <= idle(); ++second) {
      if ((basic_[block] >> second & 1U) == 0) continue;
      const double determinant =
          rate_entry(block, first) * time_entry(second) - rate_entry(block, second) * time_entry(first);
      if (std::abs(determinant) <= best) continue;
      best = std::abs(determinant);
      found = true;
      key[2 * block] = first;
      key[2 * block + 1] = second;
    }
  }
  if (found) return true;
  if (single > idle() || pinned_ >= 0) return false;
  pinned_ = static_cast<std::int32_t>(block);
  key[2 * block] = single;
  key[2 * block + 1] = surplus();
  return true;
}

bool ShareBasis::rekey(std::size_t block) {
  account(block, -1);
  if (pinned_ == static_cast<std::int32_t>(block)) {
    pinned_ = -1;
    sum_constant_[types_] = sum_per_level_[types_] = 0;
  }
  if (!choose_keys(block)) return false;
  derive(block);
  account(block, 1);
  std::erase(crowded_, block);
  const std::uint32_t keys = 1U << key[2 * block] | 1U << key[2 * block + 1];
  if ((basic_[block] & ~keys) != 0) crowded_.push_back(block);
  return true;
}

void ShareBasis::list_extras() {
  extras_.clear();
  for (std::uint32_t type = 0; type < types_; ++type) {
    if ((idle_basic_ >> type & 1U) != 0) extras_.push_back({ShareColumn::kIdle, type});
  }
  if (level_basic_) extras_.push_back({ShareColumn::kLevel, 0});
  for (const std::size_t block : crowded_) {
    std::uint32_t left = basic_[block] & ~(1U << key[2 * block] | 1U << key[2 * block + 1]);
    for (; left != 0; left &= left - 1) {
      extras_.push_back(
          {static_cast<std::int32_t>(block), static_cast<std::uint32_t>(std::countr_zero(left))});
    }
  }
}

bool ShareBasis::exchange(ShareColumn enters, ShareColumn leaves) {
  flip(enters);
  flip(leaves);
  const std::int32_t pinned = pinned_;
  if (pinned >= 0 && !rekey(static_cast<std::size_t>(pinned))) return false;
  if (enters.block >= 0 && enters.block != pinned && !rekey(static_cast<std::size_t>(enters.block)))
    return false;
  const bool again = leaves.block == enters.block || leaves.block == pinned;
  if (leaves.block >= 0 && !again && !rekey(static_cast<std::size_t>(leaves.block))) return false;
  list_extras();
  return factor();
}

}  // namespace sextant::schedule
