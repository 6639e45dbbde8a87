// Linear and mixed-integer programs behind one interface: CLP, and CBC where columns are integers; or HiGHS,
// where it is installed. Columns and rows are added as they are thought of; a model that changes a little is
// solved again from the basis of its last solution.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sextant::solve {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct LinearTerm {
  std::size_t index = 0;  // of a row (when adding a column) or of a column (when adding a row)
  double value = 0;
};

enum class SolveStatus { optimal, infeasible, unbounded, limit };

// When the search for integers may stop early, and where it starts.
struct SolveLimits {
  double seconds = kUnbounded;     // of wall time
  double gap = 0;                  // between solution and bound, as a share of the solution
  std::vector<double> start = {};  // a solution that is known, by column; empty: none
  [[nodiscard]] bool any() const { return seconds < kUnbounded || gap > 0 || !start.empty(); }
};

struct Solution {
  SolveStatus status = SolveStatus::limit;  // with columns: the best that was found before a limit
  double objective = 0;
  std::vector<double> columns = {};  // values
  std::vector<double> duals = {};    // change of the objective per unit of a row's bound; none with integers
  std::size_t iterations = 0;
  std::optional<double> bound = {};  // no solution is better; only with integers and limits
};

enum class Sense { minimise, maximise };

enum class Solver { clp, highs };
bool highs_installed();

class LinearProgram {
 public:
  // SystemError for a solver that is not installed.
  explicit LinearProgram(Sense sense, Solver solver = Solver::clp);
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  std::size_t add_row(double low, double high, std::span<const LinearTerm> columns = {});
  std::size_t add_column(double objective, double low, double high, std::span<const LinearTerm> rows = {});
  void set_integer(std::size_t column);
  void set_objective(std::size_t column, double value);
  void set_row_bounds(std::size_t row, double low, double high);
  void set_column_bounds(std::size_t column, double low, double high);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t columns() const;

  // From the last basis, if there is one.
  Solution solve(const SolveLimits& limits = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sextant::solve
