#include "rank_environment.h"

namespace sextant::measure {

std::vector<std::pair<std::string, std::string>> rank_environment(const Trial& trial) {
  const std::string threads = std::to_string(trial.threads);
  return {{"OMP_NUM_THREADS", threads}, {"OPENBLAS_NUM_THREADS", threads}, {"MKL_NUM_THREADS", threads}};
}

}  // namespace sextant::measure
