// Predictors: one file each in models/predict/predictors, one interface, the same question for all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/registry.h"
#include "sextant/jobs/job.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/graph.h"
#include "sextant/predict/prediction.h"

namespace sextant::predict {

// A job on a device, with its graph already built and counted (many devices share one graph).
struct Query {
  const jobs::Job& job;
  const nets::Graph& graph;
  const nets::GraphCost& cost;
  const catalog::Gpu& gpu;
};

// False where an operator is unknown and thus bounded by its bytes alone, or where training has no weights
// and whatever trains is left out: such a step takes at least what is predicted, and has no upper end.
bool fully_counted(const Query& query);

// A step that somebody timed: what `measured` brings.
struct Measurement {
  jobs::Job job;
  std::string gpu;  // id in the catalogue
  Seconds step;
  SourcePos at = {};  // the row that says so; none: not from a file
};

// What a predictor may be given besides the question. Each uses what it knows and ignores the rest,
// except that one which cannot work without a part says which (InputError).
struct Setup {
  const catalog::Catalog* catalog = nullptr;  // for the devices of measurements; none: the built-in one
  std::vector<Measurement> measured = {};
  std::string from = {};   // the device that `measured` was timed on, for wave scaling
  std::string model = {};  // text of a model file; empty: what ships with the program
  std::string model_file = at_field("model").str();  // that the text is of, for messages
  std::vector<std::string>* notes = nullptr;  // takes what is doubtful of the measurements; none: nobody asks
};

// Where the time of a step goes. Only the shares count: a strategy scales them to the predicted step.
struct OpTime {
  Seconds forward;
  Seconds backward;  // 0 for inference
  Seconds update;    // of its weights
};

// Two that work side by side: the slower decides, and near balance both are felt.
Seconds side_by_side(Seconds device, Seconds host);

// A step in seconds, one entry for each node of the graph. A share of a step grows where the rest of the step
// gets shorter; these do not: none is longer on a device that is at least as fast in everything. Where the
// host is known apart, operators take their sums on the device and on the host side by side, those of the
// whole graph about the predicted step.
struct StepParts {
  std::vector<OpTime> device;
  std::vector<OpTime> host;  // to issue them; empty: within the device's
  Seconds input;
};

// `shares` of the step, less its input.
StepParts share_out(const Prediction& step, std::vector<OpTime> shares);

class Predictor {
 public:
  virtual ~Predictor() = default;
  [[nodiscard]] virtual Prediction predict(const Query& query) const = 0;
  // One for each node of the graph; by the roofline, unless a predictor knows better.
  [[nodiscard]] virtual std::vector<OpTime> op_times(const Query& query) const;
  // The predicted step, shared out by work and traffic alike on all devices, unless a predictor knows better.
  [[nodiscard]] virtual StepParts parts(const Query& query) const;
  // Whether the software of the job is known to run on the device; true where the predictor cannot tell.
  [[nodiscard]] virtual bool runs_on(const jobs::Job& job, const catalog::Gpu& gpu) const;
};

// A part of the setup that a predictor cannot do without. Its contract suite makes one of each kind.
enum class PredictorNeed {
  nothing,
  measured_steps,  // `measured` and `from`
  layer_model,     // a `model` that per_layer.h makes from timed layers
  device_model,    // a `model` that calibrated_device.h makes from timed networks
};

struct PredictorInfo : PluginInfo {
  static constexpr PluginKind kKind = {"predictor", "predictors", "models of time and memory", "predictor"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<Predictor> (*make)(const Setup&) = nullptr;
  PredictorNeed needs = PredictorNeed::nothing;
};

// All files of models/predict/predictors, sorted by id.
const Registry<PredictorInfo>& predictors();

}  // namespace sextant::predict
