// Per-layer regression: the time of a layer is a line in its count of operations, with one line per type
// of layer, direction and GPU; a network is the sum of its layers. Fitted on one network it predicts
// another, because the types recur. Source: Gianniti, Zhang, Ardagna, SBAC-PAD 2018.
// Page: docs/models/per-layer.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {

enum class Direction { forward, backward };
std::string to_string(Direction direction);

// Operations of one layer in one direction, over the whole batch.
struct LayerCount {
  std::string type;  // "conv", "fc", "norm", "pool", "relu", "loss", "data-load", "optimizer"
  Direction direction = Direction::forward;
  double count = 0;
  std::optional<std::size_t> node = {};  // none: loss, data load, optimizer
};

// A layer that was timed.
struct LayerRecord {
  std::string gpu;  // id in the catalogue
  std::string type;
  Direction direction = Direction::forward;
  double count = 0;
  Seconds time;
};

// Of every layer that a step runs and that has a rule. Operators without one (batch norm, sums, …) are
// not listed; the roofline stands in for them.
std::vector<LayerCount> layer_counts(const nets::Graph& graph, const nets::GraphCost& cost,
                                     const jobs::Job& job);

// The text of this is Setup::model. A type with fewer than four records is left to the roofline; whole
// steps give the common factor. InputError for counts or times that are not finite and positive, and for
// an unknown GPU.
Json fit_per_layer(std::span<const LayerRecord> layers, std::span<const Measurement> steps,
                   const catalog::Catalog& catalog);

}  // namespace sextant::predict
