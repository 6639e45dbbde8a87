#include "sextant/simulate/checkpoint.h"

#include <cmath>
#include <limits>

#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void check_time(double value, const char* what) {
  if (value >= 0) return;
  throw InputError(std::string(what) + " is " + number_text(value) + ", and must not be negative");
}

void check_positive(double value, const char* what) {
  if (value > 0) return;
  throw InputError(std::string(what) + " is " + number_text(value) + ", and must be positive");
}

void check_costs(const FailureCosts& costs) {
  check_time(costs.checkpoint_s, "the time to write a checkpoint");
  check_time(costs.restart_s, "the time to restart");
  check_positive(costs.mtbf_s, "the mean time between failures");
}

}  // namespace

double mtbf_of_nodes(double node_mtbf_s, std::int64_t nodes) {
  check_positive(node_mtbf_s, "the mean time between failures");
  if (nodes < 1) throw InputError("a job on " + std::to_string(nodes) + " nodes: it needs at least one");
  return node_mtbf_s / static_cast<double>(nodes);
}

double availability(double mttf_s, double mttr_s) {
  check_positive(mttf_s, "the mean time to failure");
  check_time(mttr_s, "the mean time to repair");
  if (std::isinf(mttf_s)) return 1;
  return std::isinf(mttr_s) ? 0 : mttf_s / (mttf_s + mttr_s);
}

double survival(double mtbf_s, double time_s) {
  check_positive(mtbf_s, "the mean time between failures");
  check_time(time_s, "the time");
  return std::isinf(mtbf_s) ? 1 : std::exp(-time_s / mtbf_s);
}

double young_interval(double cost_s, double mtbf_s) {
  check_costs({.checkpoint_s = cost_s, .mtbf_s = mtbf_s});
  return std::isinf(mtbf_s) ? kInfinite : std::sqrt(2 * cost_s) * std::sqrt(mtbf_s);
}

double daly_interval(double cost_s, double mtbf_s) {
  const double young = young_interval(cost_s, mtbf_s);
  if (std::isinf(young)) return young;
  if (cost_s >= 2 * mtbf_s) return mtbf_s;
  const double ratio = cost_s / (2 * mtbf_s);
  return young * (1 + std::sqrt(ratio) / 3 + ratio / 9) - cost_s;
}

double expected_wall_time(const FailureCosts& costs, double work_s, double every_s) {
  check_costs(costs);
  check_time(work_s, "the work");
  check_positive(every_s, "the time between checkpoints");
  if (work_s == 0) return 0;
  // Without failures the limit of the formula: every interval costs one checkpoint.
  const double mtbf = costs.mtbf_s;
  if (std::isinf(mtbf)) return work_s * (1 + costs.checkpoint_s / every_s);
  return mtbf * std::exp(costs.restart_s / mtbf) * std::expm1((every_s + costs.checkpoint_s) / mtbf) *
         (work_s / every_s);
}

double checkpoint_waste(const FailureCosts& costs, double every_s) {
  check_costs(costs);
  check_positive(every_s, "the time between checkpoints");
  return costs.checkpoint_s / every_s + (every_s / 2 + costs.restart_s) / costs.mtbf_s;
}

double checkpoint_interval(const CheckpointPlan& plan, std::int64_t nodes, double node_mtbf_s) {
  switch (plan.rule) {
    case CheckpointRule::none:
      return kInfinite;
    case CheckpointRule::fixed:
      check_positive(plan.every_s, "the time between checkpoints");
      check_time(plan.cost_s, "the time to write a checkpoint");
      return plan.every_s;
    case CheckpointRule::young:
      return young_interval(plan.cost_s, mtbf_of_nodes(node_mtbf_s, nodes));
    case CheckpointRule::daly:
      return daly_interval(plan.cost_s, mtbf_of_nodes(node_mtbf_s, nodes));
  }
  throw std::logic_error("a checkpoint rule without an interval");
}

}  // namespace sextant
