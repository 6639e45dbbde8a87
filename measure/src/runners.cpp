#include "sextant/measure/runner.h"

namespace sextant {

#define X(stem) RunnerInfo runner_##stem();
#include "builtin_runners.inc"
#undef X

const Registry<RunnerInfo>& runners() {
  static const Registry<RunnerInfo> registry("runner", {
#define X(stem) runner_##stem(),
#include "builtin_runners.inc"
#undef X
                                                       });
  return registry;
}

}  // namespace sextant
