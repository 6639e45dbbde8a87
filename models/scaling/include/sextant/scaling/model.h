// A law for data-parallel steps. Compute C = (fixed + sample * batch) on a GPU, synchronisation S that
// is that within a node and then between nodes, and T = f C + (((1 - f) C)^g + S^g)^(1/g): gradients are sent
// while the rest of the backward pass runs. With f = 0 it is the form of Pollux (Qiao et al., OSDI 2021).
// Each coefficient is a shared value with departures of a cluster, a network, and a network on a cluster.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/units.h"
#include "sextant/scaling/row.h"

namespace sextant::scaling {

inline constexpr std::size_t kScalingCoefficients = 20;
inline constexpr const char* kScalingSchema = "sextant.scaling/2";
using ScalingValues = std::array<double, kScalingCoefficients>;

struct ScalingCluster {
  ScalingValues effects{};
  double log_fixed = 0;                 // of a middling network: its shortest one-GPU step, log seconds
  std::optional<double> log_sync = {};  // its one-GPU synchronisation, where that was timed
  std::int64_t most_gpus = 0;           // of a placement that was fitted
  std::int64_t most_nodes = 0;
};

struct ScalingNet {
  ScalingValues effects{};
  double fixed = 0;       // log of its one-GPU steps over those of the middling network
  double sync = 0;        // the same of its one-GPU synchronisation
  bool parallel = false;  // timed on more than one GPU
  double growth = 0;      // spread of log steps on placements larger than any that was fitted
};

struct ScalingKnot {
  double log_batch = 0;
  double departure = 0;  // of log compute from the line in the batch
};

// A network on a cluster.
struct ScalingCell {
  ScalingValues effects{};
  std::vector<ScalingKnot> knots = {};  // by batch
  double fixed_here = 0;  // log of its shortest one-GPU step over what cluster and network let expect
  double spread = 0.05;   // of the logarithms of its steps about the law
  int rows = 0;
  std::int64_t most_gpus = 0;
};

// Quantiles of left-out log residuals over their expected spread.
struct ScalingWidth {
  double low = -2;
  double high = 2;
};

struct ScalingErrors {
  double fitted = 0;                       // mean relative error on the rows of the fit
  std::optional<double> more_gpus = {};    // on placements larger than those that were fitted
  std::optional<double> new_network = {};  // known from one-GPU steps only
};

struct ScalingModel {
  ScalingValues shared{};
  std::map<std::string, ScalingCluster> clusters = {};
  std::map<std::string, ScalingNet> nets = {};
  std::map<std::pair<std::string, std::string>, ScalingCell> cells = {};  // network, cluster
  double sync_per_fixed = 0;  // slope that stands in for ScalingNet::sync where it was not timed
  double spread = 0.05;
  ScalingWidth inside = {};
  ScalingWidth more_gpus = {};
  ScalingWidth new_network = {};
  ScalingErrors errors = {};
  int rows = 0;
};

struct ScaledStep {
  Seconds predicted;
  Seconds low;  // 90 % interval
  Seconds high;
  Seconds compute;
  Seconds communication;  // what synchronisation adds to compute
  bool extrapolating = false;
};

// InputError without a position for a network or cluster that the model does not know.
ScaledStep predict_step(const ScalingModel& model, const ScalingQuestion& question);

Json to_json(const ScalingModel& model);
ScalingModel scaling_from_json(const Json& json, const std::string& file);
bool is_scaling_model(const Json& json);
// A file, or the name of a model that ships.
ScalingModel find_scaling_model(const std::string& name_or_file);
bool ships_scaling_model(const std::string& name);

}  // namespace sextant::scaling
