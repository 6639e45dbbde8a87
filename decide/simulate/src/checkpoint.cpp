#include "sextant/simulate/checkpoint.h"

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/failures/checkpoint_interval.h"

namespace sextant::simulate {

Seconds checkpoint_interval(const CheckpointPlan& plan, std::int64_t nodes, Seconds node_mtbf) {
  switch (plan.rule) {
    case CheckpointRule::none:
      return Seconds{kInfinity};
    case CheckpointRule::fixed:
      if (!(plan.every.value > 0)) {
        throw InputError("the time between checkpoints is " + number_text(plan.every.value) +
                         ", and must be positive");
      }
      if (!(plan.cost.value >= 0)) {
        throw InputError("the time to write a checkpoint is " + number_text(plan.cost.value) +
                         ", and must not be negative");
      }
      return plan.every;
    case CheckpointRule::young:
      return failures::young_interval(plan.cost, failures::mtbf_of_nodes(node_mtbf, nodes));
    case CheckpointRule::daly:
      return failures::daly_interval(plan.cost, failures::mtbf_of_nodes(node_mtbf, nodes));
  }
  throw std::logic_error("a checkpoint rule without an interval");
}

}  // namespace sextant::simulate
