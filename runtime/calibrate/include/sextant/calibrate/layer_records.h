// Timed operators as layers of the per-layer regression (predict/per_layer.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/measure/outcome.h"
#include "sextant/predict/per_layer.h"

namespace sextant::calibrate {

struct TimedGraph {
  const nets::Graph& graph;
  const jobs::Job& job;
  std::string gpu;  // id of the device
};

// Of every timed operator that has a rule in the regression; one for each direction that ran.
std::vector<predict::LayerRecord> layer_records(const TimedGraph& timed,
                                                std::span<const measure::OperatorTiming> timings);

}  // namespace sextant::calibrate
