// The decision as a mixed-integer program (docs/models/capacity-planning.md): who has which option on which
// node, which nodes are which machine, and what each node is paid for. What a job's tardiness costs is a
// number for each of its options, so that no variable stands for it.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "sextant/solve/linear_program.h"

namespace sextant::capacity {

class ExactProgram {
 public:
  explicit ExactProgram(const CostModel& model, solve::Solver solver = solve::Solver::clp);

  // Binaries that a program of the snapshot has; known before it is built.
  static double size(const CostModel& model);

  // The best decision within the limits, from a start; the start itself where nothing better was found.
  Decision solve(const Decision& start, const solve::SolveLimits& limits);

 private:
  struct Use {  // of an option on a node
    std::int32_t job = kNone;
    std::int32_t option = kNone;
    std::int32_t node = kNone;
    std::size_t column = 0;
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  void add_nodes();
  void add_uses();
  void add_use(std::int32_t job, std::int32_t option, std::int32_t node);
  void add_wide(std::int32_t job, std::int32_t option);
  void add_jobs();
  void add_node_costs();
  void add_first_ends(std::int32_t node, const std::vector<std::vector<const Use*>>& by_job);
  void add_limits();
  void add_symmetry();
  [[nodiscard]] bool moved(const Use& use) const;
  [[nodiscard]] double time(const Use& use) const;
  [[nodiscard]] std::vector<double> start_values(const Decision& start) const;
  [[nodiscard]] Decision decision(const std::vector<double>& values) const;

  const CostModel* model_;
  solve::LinearProgram program_;
  std::vector<std::vector<std::size_t>> is_type_;  // by node and type; kNoColumn: cannot be
  std::vector<std::size_t> waits_;                 // by job
  std::vector<std::size_t> paid_;                  // by node: USD
  std::vector<Use> uses_;
  std::vector<Use> wide_;  // node is kNone: whether the option is taken
  struct FirstEnd {
    std::size_t column = 0;
    std::int32_t job = kNone;
    std::int32_t node = kNone;
  };
  std::vector<FirstEnd> first_ends_;
};

}  // namespace sextant::capacity
