#include "runner_choice.h"
#include "sextant/core/error.h"
#include "sextant/measure/supervisor.h"

namespace sextant {

void check_trial(const Trial& trial, const SuperviseOptions& options) {
  const RunnerInfo& runner = chosen_runner(trial, options);
  for (const std::string& problem : runner.problems(trial)) throw InputError({"--runner"}, problem);
}

}  // namespace sextant
