// Evaluator simulate: `sextant simulate` with factors among its arguments.
#include "own_evaluator.h"

namespace sextant::study::evaluator_simulate {

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "simulate",
            .summary = "what policies make of a shared cluster",
            .reference = "settings: args (of sextant simulate), json"},
           {},
           [](const EvaluatorSetup& setup) {
             return make_own_evaluator(setup, {.command = "simulate", .within = true});
           }}};
}

}  // namespace sextant::study::evaluator_simulate
