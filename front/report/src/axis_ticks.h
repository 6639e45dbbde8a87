// Where an axis has its ticks, and what is written at them.
#pragma once

#include "sextant/report/svg_axis.h"

namespace sextant::report {

void set_linear_ticks(SvgAxis& axis, AxisUnit unit);
void set_log_ticks(SvgAxis& axis, AxisUnit unit);

}  // namespace sextant::report
