// The least that a step can take on a device, to hold timings and answers against: no software that runs one
// operator after another is faster. It is the roofline, less what Winograd's algorithm saves.
#pragma once

#include <string>

#include "sextant/predict/observation.h"

namespace sextant::predict {

// In the number format that the stack runs the job in.
Seconds least_step(const Query& query, const StackTraits& traits);

// Formats in which the device multiplies faster than in the one that the stack runs: "tf32 or fp16"; empty:
// none.
std::string faster_formats(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits);

}  // namespace sextant::predict
