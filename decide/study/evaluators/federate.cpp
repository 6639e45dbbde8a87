// Evaluator federate: `sextant federate` with factors among its arguments.
#include "own_evaluator.h"

namespace sextant::study::evaluator_federate {

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "federate",
            .summary = "training by many clients on this machine",
            .reference = "settings: args (of sextant federate), json"},
           {},
           [](const EvaluatorSetup& setup) {
             return make_own_evaluator(setup,
                                       {.command = "federate", .must_hold = "completed", .alone = true});
           }}};
}

}  // namespace sextant::study::evaluator_federate
