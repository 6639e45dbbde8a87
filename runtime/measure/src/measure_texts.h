// Numbers in sentences about measurements.
#pragma once

#include <string>

namespace sextant::measure {

std::string percent_text(double share);     // "1.4 %", "12 %"
std::string duration_text(double seconds);  // whole seconds: "45 s", "1 min 40 s", "2 h 5 min"

}  // namespace sextant::measure
