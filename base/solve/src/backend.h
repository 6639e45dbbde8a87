// What a solver does for a LinearProgram. A backend is a library of its own (base/solve/backends), loaded
// when the first program is made: the solvers bring linear algebra along that takes longer to load than most
// answers take.
#pragma once

#include <memory>
#include <vector>

#include "pending_program.h"

namespace sextant::solve {

class Backend {
 public:
  virtual ~Backend() = default;
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // Rows first, with their elements in columns that are known; then columns with their elements in all rows.
  virtual void add(const PendingProgram& pending) = 0;
  virtual void set_objective(std::size_t column, double value) = 0;
  virtual void set_row_bounds(std::size_t row, double low, double high) = 0;
  virtual void set_column_bounds(std::size_t column, double low, double high) = 0;
  // From the last basis, if there is one; by branch and bound where columns are integers.
  virtual Solution solve(const std::vector<int>& integers, const SolveLimits& limits) = 0;
};

// What a backend's library exports, under the name kBackendFunction.
using MakeBackend = Backend*(Sense);
inline constexpr const char* kBackendFunction = "sextant_make_backend";

std::unique_ptr<Backend> make_backend(Sense sense, Solver solver);

}  // namespace sextant::solve
