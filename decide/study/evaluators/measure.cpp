// Evaluator measure: `sextant measure` with factors among its arguments.
#include "own_evaluator.h"

namespace sextant::study::evaluator_measure {

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "measure",
            .summary = "training on this machine, or where its runners reach",
            .reference = "settings: args (of sextant measure), json"},
           {},
           [](const EvaluatorSetup& setup) {
             return make_own_evaluator(setup,
                                       {.command = "measure", .must_hold = "completed", .alone = true});
           }}};
}

}  // namespace sextant::study::evaluator_measure
