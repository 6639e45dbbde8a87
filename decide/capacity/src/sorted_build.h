// A layout for nodes that are paid until their last job ends: jobs that end together share a node. Each job
// takes the option that is cheapest in a full machine, tardiness included, or waits if that is cheaper still;
// longest first, jobs fill up the nodes of those before them, which costs nothing.
#pragma once

#include "layout.h"

namespace sextant::capacity {

Layout sorted_layout(const CostModel& model);

// The patterns of nodes that the linear program over all of them takes, the largest shares first, as far as
// they do not take the same jobs. It begins with those of a layout that is known.
struct BoundedLayout {
  Layout layout;
  double bound = 0;  // USD: no layout costs less
};
BoundedLayout pattern_layout(const CostModel& model, const Layout& known);

}  // namespace sextant::capacity
