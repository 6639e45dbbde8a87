// A prediction before it becomes seconds: the logarithm, how it leans on synchronisation, how sure it is.
#pragma once

#include "sextant/scaling/model.h"

namespace sextant::scaling {

enum class Familiarity { inside, more_gpus, new_network };

struct LogStep {
  double centre = 0;  // log seconds, the value with the least expected relative error
  double spread = 0;  // standard deviation that is expected of the logarithm
  double log_compute = 0;
  Familiarity familiarity = Familiarity::inside;
};

LogStep log_step(const ScalingModel& model, const ScalingQuestion& question);

}  // namespace sextant::scaling
