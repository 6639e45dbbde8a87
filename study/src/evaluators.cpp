#include "sextant/study/evaluator.h"

namespace sextant {

#define X(stem) EvaluatorInfo evaluator_##stem();
#include "builtin_evaluators.inc"
#undef X

const Registry<EvaluatorInfo>& evaluators() {
  static const Registry<EvaluatorInfo> all = [] {
    std::vector<EvaluatorInfo> list;
#define X(stem) list.push_back(evaluator_##stem());
#include "builtin_evaluators.inc"
#undef X
    return Registry<EvaluatorInfo>("evaluator", std::move(list));
  }();
  return all;
}

}  // namespace sextant
