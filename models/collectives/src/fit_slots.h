// The numbers of a calibration that a fit changes, with their start and how far they may stray from it.
#pragma once

#include <vector>

#include "sextant/collectives/calibration.h"

namespace sextant::collectives {

struct Slot {
  double* value;
  double start;      // log
  double deviation;  // of the log
};

std::vector<Slot> slots_of(Calibration& calibration);

}  // namespace sextant::collectives
