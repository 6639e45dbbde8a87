// A layout for nodes that are paid until their last job ends: jobs that end together share a node. Each job
// takes the option that is cheapest in a full machine, tardiness included, or waits if that is cheaper still;
// longest first, jobs fill up the nodes of those before them, which costs nothing.
#pragma once

#include "layout.h"

namespace sextant::capacity {

Layout sorted_layout(const CostModel& model);

}  // namespace sextant::capacity
