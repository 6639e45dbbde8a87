#include "highs_backend.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/on_demand.h"
#include "sextant/solve/linear_program.h"

namespace sextant::solve {
namespace {

constexpr const char* kHighsFile = "libhighs.so.1";
constexpr double kHighsTolerance = 1e-9;  // of rows and of reduced costs; its own is 1e-7

// Values of highs_c_api.h.
constexpr int kHighsMaximise = -1;
constexpr int kHighsInteger = 1;
enum HighsModelStatus : int {
  model_empty = 6,
  optimal_model = 7,
  infeasible_model = 8,
  either_model = 9,
  unbounded_model = 10
};

// Of highs_c_api.h, where HighsInt is int unless it was built otherwise, which no distribution does.
struct HighsFunctions {
  explicit HighsFunctions(const OnDemandLibrary& library)
      : create(library.function<void*()>("Highs_create")),
        destroy(library.function<void(void*)>("Highs_destroy")),
        set_flag(library.function<int(void*, const char*, int)>("Highs_setBoolOptionValue")),
        set_count(library.function<int(void*, const char*, int)>("Highs_setIntOptionValue")),
        set_number(library.function<int(void*, const char*, double)>("Highs_setDoubleOptionValue")),
        set_sense(library.function<int(void*, int)>("Highs_changeObjectiveSense")),
        add_rows(library.function<AddRows>("Highs_addRows")),
        add_columns(library.function<AddColumns>("Highs_addCols")),
        set_integrality(library.function<int(void*, int, int)>("Highs_changeColIntegrality")),
        set_cost(library.function<int(void*, int, double)>("Highs_changeColCost")),
        set_column_bounds(library.function<int(void*, int, double, double)>("Highs_changeColBounds")),
        set_row_bounds(library.function<int(void*, int, double, double)>("Highs_changeRowBounds")),
        set_solution(library.function<SetSolution>("Highs_setSolution")),
        run(library.function<int(void*)>("Highs_run")),
        status(library.function<int(const void*)>("Highs_getModelStatus")),
        objective(library.function<double(const void*)>("Highs_getObjectiveValue")),
        solution(library.function<GetSolution>("Highs_getSolution")),
        info_number(library.function<int(const void*, const char*, double*)>("Highs_getDoubleInfoValue")),
        info_count(library.function<int(const void*, const char*, int*)>("Highs_getIntInfoValue")) {}

  using AddRows = int(void*, int, const double*, const double*, int, const int*, const int*, const double*);
  using AddColumns = int(void*, int, const double*, const double*, const double*, int, const int*, const int*,
                         const double*);
  using SetSolution = int(void*, const double*, const double*, const double*, const double*);
  using GetSolution = int(const void*, double*, double*, double*, double*);

  void* (*create)();
  void (*destroy)(void*);
  int (*set_flag)(void*, const char*, int);
  int (*set_count)(void*, const char*, int);
  int (*set_number)(void*, const char*, double);
  int (*set_sense)(void*, int);
  AddRows* add_rows;
  AddColumns* add_columns;
  int (*set_integrality)(void*, int, int);
  int (*set_cost)(void*, int, double);
  int (*set_column_bounds)(void*, int, double, double);
  int (*set_row_bounds)(void*, int, double, double);
  SetSolution* set_solution;
  int (*run)(void*);
  int (*status)(const void*);
  double (*objective)(const void*);
  GetSolution* solution;
  int (*info_number)(const void*, const char*, double*);
  int (*info_count)(const void*, const char*, int*);
};

const HighsFunctions& highs_functions() {
  static const OnDemandLibrary library(kHighsFile, "libhighs1");
  static const HighsFunctions functions(library);
  return functions;
}

class HighsBackend final : public Backend {
 public:
  explicit HighsBackend(Sense sense) : highs_(highs_functions()), model_(highs_.create()) {
    highs_.set_flag(model_, "output_flag", 0);
    highs_.set_count(model_, "threads", 1);  // the same answer on any machine
    highs_.set_number(model_, "primal_feasibility_tolerance", kHighsTolerance);
    highs_.set_number(model_, "dual_feasibility_tolerance", kHighsTolerance);
    highs_.set_number(model_, "mip_abs_gap", 0);
    if (sense == Sense::maximise) highs_.set_sense(model_, kHighsMaximise);
  }
  ~HighsBackend() override { highs_.destroy(model_); }
  HighsBackend(const HighsBackend&) = delete;
  HighsBackend& operator=(const HighsBackend&) = delete;

  void add(const PendingProgram& pending) override {
    const int new_rows = static_cast<int>(pending.row_low.size());
    if (new_rows > 0) {
      const ColumnBatch batch = pending.rows_in_old_columns();
      highs_.add_rows(model_, new_rows, pending.row_low.data(), pending.row_high.data(),
                      static_cast<int>(batch.values.size()), batch.starts.data(), batch.rows.data(),
                      batch.values.data());
    }
    const int new_columns = static_cast<int>(pending.column_low.size());
    if (new_columns > 0) {
      const ColumnBatch batch = pending.new_columns();
      highs_.add_columns(model_, new_columns, pending.objective.data(), pending.column_low.data(),
                         pending.column_high.data(), static_cast<int>(batch.values.size()),
                         batch.starts.data(), batch.rows.data(), batch.values.data());
    }
    rows_ += pending.row_low.size();
    columns_ += pending.column_low.size();
  }

  void set_objective(std::size_t column, double value) override {
    highs_.set_cost(model_, static_cast<int>(column), value);
  }
  void set_row_bounds(std::size_t row, double low, double high) override {
    highs_.set_row_bounds(model_, static_cast<int>(row), low, high);
  }
  void set_column_bounds(std::size_t column, double low, double high) override {
    highs_.set_column_bounds(model_, static_cast<int>(column), low, high);
  }

  Solution solve(const std::vector<int>& integers, const SolveLimits& limits) override {
    for (const int column : integers) highs_.set_integrality(model_, column, kHighsInteger);
    highs_.set_number(model_, "time_limit", limits.seconds);
    highs_.set_number(model_, "mip_rel_gap", limits.gap);
    if (!limits.start.empty()) {
      highs_.set_solution(model_, limits.start.data(), nullptr, nullptr, nullptr);
    }
    highs_.run(model_);
    Solution out;
    const int status = highs_.status(model_);
    if (status == infeasible_model) out.status = SolveStatus::infeasible;
    if (status == unbounded_model || status == either_model) out.status = SolveStatus::unbounded;
    if (status == optimal_model || status == model_empty) out.status = SolveStatus::optimal;
    read_iterations(out);
    if (out.status == SolveStatus::optimal || (out.status == SolveStatus::limit && found(integers))) {
      read_columns(integers, out);
    }
    // Without a limit, the proof is the answer.
    if (!integers.empty() && limits.any() && !out.columns.empty()) {
      double bound = 0;
      highs_.info_number(model_, "mip_dual_bound", &bound);
      out.bound = bound;
    }
    return out;
  }

 private:
  // Of a search that a limit ended: whether it has any solution.
  [[nodiscard]] bool found(const std::vector<int>& integers) const {
    constexpr int kFeasible = 2;  // primal_solution_status of highs_c_api.h
    int status = 0;
    highs_.info_count(model_, "primal_solution_status", &status);
    return !integers.empty() && status == kFeasible;
  }

  void read_iterations(Solution& out) const {
    int iterations = 0;
    highs_.info_count(model_, "simplex_iteration_count", &iterations);
    out.iterations = static_cast<std::size_t>(std::max(0, iterations));
  }

  void read_columns(const std::vector<int>& integers, Solution& out) const {
    out.columns.resize(columns_);
    out.duals.resize(rows_);
    std::vector<double> column_duals(columns_);
    std::vector<double> row_values(rows_);
    highs_.solution(model_, out.columns.data(), column_duals.data(), row_values.data(), out.duals.data());
    out.objective = highs_.objective(model_);
    if (integers.empty()) return;
    out.duals.clear();
    for (const int column : integers) {
      double& value = out.columns[static_cast<std::size_t>(column)];
      value = std::round(value);
    }
  }

  const HighsFunctions& highs_;
  void* model_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_highs_backend(Sense sense) {
  return std::make_unique<HighsBackend>(sense);
}

bool highs_installed() {
  try {
    highs_functions();
  } catch (const SystemError&) {
    return false;
  }
  return true;
}

}  // namespace sextant::solve
