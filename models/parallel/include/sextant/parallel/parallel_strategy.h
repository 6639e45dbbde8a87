// Strategies of parallel training: one file each in models/parallel/strategies, one interface, the same
// question for all: what does a step with this global batch take on these devices? Formulas and sources:
// docs/models/strategies.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sextant/collectives/collective.h"
#include "sextant/core/registry.h"
#include "sextant/core/units.h"
#include "sextant/jobs/placement.h"
#include "sextant/parallel/limit.h"
#include "sextant/parallel/workload.h"
#include "sextant/predict/memory.h"

namespace sextant::parallel {

// One kind of device: the network on it, and the memory that a job gets of it (0: not known).
struct DeviceClass {
  const Workload* load = nullptr;
  Bytes memory = {};
};

struct ParallelQuery {
  std::vector<DeviceClass> devices;  // one, unless GPUs are mixed
  jobs::Placement placement;
  collectives::Fabric fabric;
  double batch = 1;  // samples of the global batch
};

// How the devices are used; 1 where a kind of split is not used.
struct ParallelDegrees {
  enum class Split { none, filter, channel, spatial, tensor };

  std::int64_t data = 1;    // replicas (virtual workers in HetPipe)
  std::int64_t shards = 1;  // of every layer
  Split split = Split::none;
  std::int64_t stages = 1;
  std::int64_t micro = 1;           // micro-batches of a replica in a step; HetPipe: minibatches in flight
  std::int64_t virtual_stages = 1;  // pieces of the network on a device
  std::int64_t zero = 0;            // ZeRO stage
  std::int64_t servers = 0;         // parameter servers

  bool operator==(const ParallelDegrees&) const = default;
};

// "data 8 x filter 4", "data 2 x 4 stages, 8 micro-batches"
std::string to_string(const ParallelDegrees& degrees);

struct ParallelCost {
  Seconds compute = {};             // busy, the slowest device
  Seconds communication = {};       // all of it
  Seconds exposed = {};             // the part of it, and of waiting for others, that compute does not hide
  Seconds bubble = {};              // idle in a pipeline
  Seconds input = {};               // copying the samples of a step, which no strategy divides
  predict::MemoryNeed memory = {};  // of the fullest device
  double fill = 0;  // memory over capacity, where that is largest; 0 where no capacity is known
  ParallelDegrees degrees = {};
  double batch = 0;       // samples that a step handles
  double staleness = 0;   // updates that a gradient misses on average; 0: synchronous
  double efficiency = 1;  // samples of synchronous training that one sample here is worth

  [[nodiscard]] Seconds step() const { return compute + exposed + bubble + input; }
  [[nodiscard]] double throughput() const { return batch / step().value; }  // samples/s
};

// Why a strategy cannot be used. That memory does not suffice is not among them: see `fill`.
struct Infeasible {
  Limit limit = Limit::shape;
  std::string reason;  // "filter: 96 devices, but layer 'fc' has 10 filters"
};

class ParallelResult {
 public:
  ParallelResult(ParallelCost cost) : value_(cost) {}
  ParallelResult(Infeasible infeasible) : value_(std::move(infeasible)) {}

  [[nodiscard]] explicit operator bool() const { return value_.index() == 0; }
  // Only where the strategy can be used.
  [[nodiscard]] const ParallelCost& operator*() const { return std::get<0>(value_); }
  [[nodiscard]] const ParallelCost* operator->() const { return &std::get<0>(value_); }
  [[nodiscard]] ParallelCost& operator*() { return std::get<0>(value_); }
  [[nodiscard]] ParallelCost* operator->() { return &std::get<0>(value_); }
  // Only where it cannot.
  [[nodiscard]] const Infeasible& why() const { return std::get<1>(value_); }

 private:
  std::variant<ParallelCost, Infeasible> value_;
};

struct ParallelStrategyInfo : PluginInfo {
  static constexpr PluginKind kKind = {"strategy", "strategies", "ways for devices to share a training step",
                                       "strategy"};

  std::vector<std::string> aliases = {};
  // At least two devices, a batch of at least one sample, and a network where there are several nodes.
  ParallelResult (*cost)(const ParallelQuery&, const Parameters&) = nullptr;
  // Values worth trying for a query, made from the defaults; none: the defaults alone.
  std::vector<Parameters> (*variants)(const ParallelQuery&, const Parameters& usual) = nullptr;
  // What a step takes at the least, known without its cost: a search passes over what cannot win. None: every
  // device goes through all layers with an equal share of the samples, and nothing else takes time.
  Seconds (*at_least)(const ParallelQuery&, const Parameters&) = nullptr;
};

// All files of models/parallel/strategies, sorted by id.
const Registry<ParallelStrategyInfo>& parallel_strategies();

// A strategy and its parameters, as people write it: "pipeline:micro=8:schedule=gpipe".
struct ParallelChoice {
  const ParallelStrategyInfo* strategy = nullptr;
  Parameters parameters = {};
};

// InputError with a hint for an unknown name, and for a value that is no number or out of bounds.
ParallelChoice parse_strategy(std::string_view text, const SourcePos& at = {});
// What differs from the defaults: "pipeline:micro=8"
std::string to_string(const ParallelChoice& choice);

// The same answer for every strategy with one device: that device alone.
ParallelResult strategy_cost(const ParallelChoice& choice, const ParallelQuery& query);

}  // namespace sextant::parallel
