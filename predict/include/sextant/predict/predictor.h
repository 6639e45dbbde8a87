// Predictors: one file each in predict/predictors, one interface, the same question for all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
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

// A step that somebody timed: what `--measured` brings.
struct Measurement {
  TrainingJob job;
  std::string gpu;  // id in the catalogue
  Seconds step;
};

// What a predictor may be given besides the question. Each uses what it knows and ignores the rest,
// except that one which cannot work without a part says which (InputError).
struct Setup {
  const Catalog* catalog = nullptr;  // for the devices of measurements; none: the built-in one
  std::vector<Measurement> measured = {};
  std::string from = {};   // the device that `measured` was timed on, for wave scaling
  std::string model = {};  // text of a model file; empty: what ships with the program
};

// Where the time of a step goes. Only the shares count: a strategy scales them to the predicted step.
struct OpTime {
  Seconds forward;
  Seconds backward;  // 0 for inference
  Seconds update;    // of its weights
};

class Predictor {
 public:
  virtual ~Predictor() = default;
  [[nodiscard]] virtual Prediction predict(const Query& query) const = 0;
  // One for each node of the graph; by the roofline, unless a predictor knows better.
  [[nodiscard]] virtual std::vector<OpTime> op_times(const Query& query) const;
};

struct PredictorInfo : PluginInfo {
  std::vector<std::string> aliases = {};
  std::unique_ptr<Predictor> (*make)(const Setup&) = nullptr;
};

// All files of predict/predictors, sorted by id.
const Registry<PredictorInfo>& predictors();

}  // namespace sextant
