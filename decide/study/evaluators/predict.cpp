// Evaluator predict: `sextant predict` with factors among its arguments.
#include "own_evaluator.h"

namespace sextant::study::evaluator_predict {

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "predict",
            .summary = "what a configuration would take, by the models of this program",
            .reference = "settings: args (of sextant predict), json"},
           {},
           [](const EvaluatorSetup& setup) {
             return make_own_evaluator(
                 setup, {.command = "predict", .must_hold = "fits", .within = true, .quick = true});
           }}};
}

}  // namespace sextant::study::evaluator_predict
