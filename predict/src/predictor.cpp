#include "sextant/predict/predictor.h"

namespace sextant {

#define X(stem) PredictorInfo predictor_##stem();
#include "builtin_predictors.inc"
#undef X

const Registry<PredictorInfo>& predictors() {
  static const Registry<PredictorInfo> registry("predictor", {
#define X(stem) predictor_##stem(),
#include "builtin_predictors.inc"
#undef X
                                                             });
  return registry;
}

}  // namespace sextant
