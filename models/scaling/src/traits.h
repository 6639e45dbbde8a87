// What one-GPU steps tell of a network before it has run on several: how long its shortest step is and how
// long its synchronisation, compared with other networks on the same cluster.
#pragma once

#include <span>

#include "sextant/scaling/model.h"

namespace sextant::scaling {

// Fills in fixed, sync and fixed_here of the networks and cells of the rows, and log_fixed and log_sync of
// clusters that are not `known`. Networks and clusters are separated by medians (Tukey's median polish).
void set_traits(ScalingModel& model, std::span<const ScalingRow> rows, bool new_model);

}  // namespace sextant::scaling
