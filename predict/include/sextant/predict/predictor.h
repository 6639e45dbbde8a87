// Predictors: one file each in predict/predictors, one interface, the same question for all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sextant/catalog/gpu.h"
#include "sextant/core/registry.h"
#include "sextant/jobs/training_job.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/graph.h"
#include "sextant/predict/prediction.h"

namespace sextant {

// A job on a device, with its graph already built and counted (many devices share one graph).
struct Query {
  const TrainingJob& job;
  const Graph& graph;
  const GraphCost& cost;
  const Gpu& gpu;
};

class Predictor {
 public:
  virtual ~Predictor() = default;
  [[nodiscard]] virtual Prediction predict(const Query& query) const = 0;
};

struct PredictorInfo : PluginInfo {
  std::vector<std::string> aliases = {};
  std::unique_ptr<Predictor> (*make)() = nullptr;
};

// All files of predict/predictors, sorted by id.
const Registry<PredictorInfo>& predictors();

}  // namespace sextant
