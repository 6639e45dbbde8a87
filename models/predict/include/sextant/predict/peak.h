// The arithmetic rate a device can reach in a given precision, by kind of operator.
#pragma once

#include "sextant/catalog/gpu.h"
#include "sextant/core/precision.h"
#include "sextant/nets/op.h"

namespace sextant::predict {

// Convolutions, linear layers and matrix products run on matrix units where the device has them.
bool uses_matrix_units(const nets::Op& op);

FlopRate matrix_peak(const catalog::Gpu& gpu, Precision precision);
FlopRate vector_peak(const catalog::Gpu& gpu, Precision precision);

}  // namespace sextant::predict
