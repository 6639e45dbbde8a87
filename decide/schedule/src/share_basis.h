// Basis of a share program that keeps its structure. Each job is a block of two rows (rate, time); only the
// capacities of the types and one column, the level, link blocks. So each block has two key columns with a
// 2x2 inverse, and what else is basic makes a working matrix of the order of the number of types: generalised
// upper bounding (Dantzig, Van Slyke, JCSS 1967) with two rows a block. A pivot costs one pass over the jobs.
//
// Scaled so that right-hand sides are of order 1:
//   sum_j a_ij x_ij - r_i - pull_i t = push_i,   sum_j x_ij + u_i = 1,   sum_i size_ij x_ij + v_j = 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sextant::schedule {

inline constexpr std::size_t kMaxShareTypes = 15;

// A column: share x_ij (block i, column j), surplus r_i (column n), idle time u_i (column n + 1), idle GPUs
// v_j (block kIdle, column j), or the level (block kLevel).
struct ShareColumn {
  static constexpr std::int32_t kIdle = -1;
  static constexpr std::int32_t kLevel = -2;
  static constexpr std::int32_t kNone = -3;
  std::int32_t block = kNone;
  std::uint32_t column = 0;
};

class ShareBasis {
 public:
  static constexpr std::size_t kOrder = kMaxShareTypes + 1;
  using Vector = std::array<double, kOrder>;

  // Sizes, with everything 0; fill the inputs below, then set the keys of all blocks.
  void reset(std::size_t jobs, std::size_t types);
  // Two columns per block basic, all idle GPUs basic, the level not.
  void set_keys(std::size_t block, std::uint32_t first, std::uint32_t second);
  // After pull, push or a key changed wholesale: per-block products and their sums anew.
  bool refresh();

  // Working matrix and its factors for the present set of basic columns; false: singular.
  bool factor();
  void extras_values(Vector& out) const;                    // of the extra basic columns
  void direction(ShareColumn entering, Vector& out) const;  // by which they fall per unit of `entering`
  // Value of all keys, given those of the extras.
  void key_values(const Vector& extras);
  // Value and fall of the keys that move when `entering` does: all if the level moves, else those of few
  // blocks.
  void move_keys(ShareColumn entering, const Vector& extras, const Vector& extras_fall);
  // Duals of the capacities for the costs of this class, or for the level alone.
  void duals(Vector& out) const;
  // Duals of a block's rows.
  [[nodiscard]] double rate_dual(std::size_t block, const Vector& dual) const {
    const std::size_t k = 2 * block;
    return key_reduced(k, dual) * inverse_rate[k] + key_reduced(k + 1, dual) * inverse_rate[k + 1];
  }
  [[nodiscard]] double time_dual(std::size_t block, const Vector& dual) const {
    const std::size_t k = 2 * block;
    return key_reduced(k, dual) * inverse_time[k] + key_reduced(k + 1, dual) * inverse_time[k + 1];
  }

  [[nodiscard]] bool is_basic(ShareColumn column) const;
  // One column enters, one leaves; false: no valid keys, the basis cannot be used any more.
  bool exchange(ShareColumn enters, ShareColumn leaves);

  [[nodiscard]] std::size_t jobs() const { return jobs_; }
  [[nodiscard]] std::size_t types() const { return types_; }
  [[nodiscard]] std::uint32_t surplus() const { return static_cast<std::uint32_t>(types_); }
  [[nodiscard]] std::uint32_t idle() const { return static_cast<std::uint32_t>(types_ + 1); }
  [[nodiscard]] const std::vector<ShareColumn>& extras() const { return extras_; }
  [[nodiscard]] std::int32_t pinned() const { return pinned_; }
  [[nodiscard]] bool level_basic() const { return level_basic_; }

  // Inputs.
  std::vector<double> a;     // [job][type]
  std::vector<double> size;  // [job][type]
  std::vector<double> cost;  // [job][type]; -kNever: not a column
  std::vector<double> pull;
  std::vector<double> push;
  bool seeks_level = true;  // the objective is the level; `cost` then only says which columns there are
  static constexpr double kNever = 1e30;

  // Per key, two a block: its column, its coefficients of the inverse, its place and size in the linking
  // rows.
  std::vector<std::uint32_t> key;
  std::vector<double> inverse_rate;  // row of the inverse for this key, column of the rate row
  std::vector<double> inverse_time;
  std::vector<std::size_t> link_row;
  std::vector<double> link_value;
  std::vector<double> key_cost;
  std::vector<double> value;
  std::vector<double> fall;
  std::vector<std::size_t> moving;  // keys whose value and fall move_keys has set

 private:
  [[nodiscard]] std::size_t order() const { return types_ + (pinned_ >= 0 ? 1 : 0); }
  [[nodiscard]] double key_reduced(std::size_t k, const Vector& dual) const {
    return key_cost[k] - dual[link_row[k]] * link_value[k];
  }
  [[nodiscard]] double level_among(const Vector& extras) const;
  [[nodiscard]] double rate_entry(std::size_t block, std::uint32_t column) const;
  [[nodiscard]] double time_entry(std::uint32_t column) const { return column == surplus() ? 0.0 : 1.0; }
  [[nodiscard]] double cost_of(std::size_t block, std::uint32_t column) const;
  void reduced_column(ShareColumn column, Vector& out) const;
  void solve_working(const Vector& right, Vector& out) const;
  void add_own(ShareColumn column, double amount, std::vector<double>& keys) const;
  void account(std::size_t block, double sign);
  void derive(std::size_t block);
  bool choose_keys(std::size_t block);
  bool rekey(std::size_t block);
  void list_extras();
  void flip(ShareColumn column);

  std::size_t jobs_ = 0;
  std::size_t types_ = 0;
  std::vector<double> constant_;      // per key: value where the level and own extras are 0
  std::vector<double> per_level_;     // per key: what a unit of the level adds
  std::vector<std::uint32_t> basic_;  // per block: bit per column
  std::vector<std::size_t> all_;      // keys
  std::vector<std::size_t> crowded_;  // blocks with extras of their own
  std::uint32_t idle_basic_ = 0;
  bool level_basic_ = false;
  // A block with one basic column only: the level takes the place of the other. Its surplus is then a key all
  // the same, and a linking row of its own, the last, pins it to 0.
  std::int32_t pinned_ = -1;
  std::vector<ShareColumn> extras_;
  Vector sum_constant_{};  // of link_value * constant_ by linking row
  Vector sum_per_level_{};
  std::array<double, kOrder * kOrder> lu_{};
  std::array<std::size_t, kOrder> order_of_rows_{};
};

}  // namespace sextant::schedule
