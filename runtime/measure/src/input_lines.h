// From throughputs to lines: ordinary least squares of throughput on each factor alone, and on all at once,
// with readings that claim no more than the data carry.
#pragma once

#include <span>
#include <vector>

#include "sextant/measure/input_experiment.h"

namespace sextant::measure {

// Points without a measurement are left out, and factors that have one level in the others.
std::vector<FactorLine> single_factor_lines(std::span<const InputPoint> points);
// Empty where fewer than two factors vary, or there are not enough measurements.
std::vector<FactorLine> joint_factor_lines(std::span<const InputPoint> points);
// Empty where there are not enough measurements.
std::vector<FactorRatio> factor_ratios(std::span<const InputPoint> points);

}  // namespace sextant::measure
