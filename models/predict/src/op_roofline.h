// The roofline's time of single operators (docs/models/roofline.md), for models that split a step over
// its operators or have nothing better for one of them.
#pragma once

#include <cstddef>

#include "sextant/predict/predictor.h"

namespace sextant::predict {

Seconds forward_roofline(const Query& query, std::size_t node);
Seconds backward_roofline(const Query& query, std::size_t node);  // whatever the mode
Bytes update_traffic(const jobs::Job& job, double parameters);    // 0 for inference and without optimizer
Seconds optimizer_roofline(const Query& query);                   // of all parameters
Seconds step_roofline(const Query& query);                        // sum of what the mode runs

}  // namespace sextant::predict
