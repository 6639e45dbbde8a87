// The operators of a step as a calibrated device knows them: each node in each direction, with its work, its
// traffic, and what else decides how well a library handles it, as a point in a space where likely equals lie
// close together. Page: docs/models/local-device.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sextant/jobs/job.h"
#include "sextant/nets/cost.h"
#include "sextant/predict/per_layer.h"

namespace sextant::predict {

struct OperatorCall {
  std::string kind;  // "conv", "depthwise", "relu", …; calls of a kind have equally many coordinates
  Direction direction = Direction::forward;
  std::size_t node = 0;
  double flop = 0;
  double bytes = 0;                 // compulsory traffic
  std::vector<double> coordinates;  // logarithms of extents and marks of divisibility, in length scales
};

// In the order of the nodes, forward before backward; backward only in training and where something runs.
std::vector<OperatorCall> operator_calls(const nets::Graph& graph, const nets::GraphCost& cost,
                                         jobs::Mode mode);

// The optimizer's pass over all parameters; the states that it keeps decide the bytes.
OperatorCall update_call(const nets::GraphCost& cost, jobs::Optimizer optimizer);

// Numbers that a batch brings into the network.
double input_values(const nets::Graph& graph);

}  // namespace sextant::predict
