#include "zero_step.h"

#include <algorithm>

#include "groups.h"
#include "parts.h"
#include "sharded.h"
#include "zero.h"

namespace sextant::parallel {

ParameterBytes zero_bytes(int stage, const ParameterBytes& each, double parameters, double ranks) {
  const auto held = [&](Bytes bytes, bool divided) { return parameters / (divided ? ranks : 1) * bytes; };
  return {held(each.weight, stage >= 3), held(each.gradient, stage >= 2), held(each.optimizer, stage >= 1)};
}

namespace {

// Consecutive layers whose weights travel together.
struct Piece {
  Seconds work;
  Bytes weights;
};

// Layers in the order of a pass, packed to pieces.
class Pieces {
 public:
  Pieces(const Workload& load, Bytes bucket) : load_(load), bucket_(bucket) {}

  void add(const LayerLoad& layer, Seconds work) {
    open_.work += work;
    open_.weights += layer.weights * load_.terms().element;
    if (open_.weights >= bucket_) close();
  }
  std::vector<Piece> take() {
    if (open_.work > Seconds{} || open_.weights > Bytes{}) close();
    return std::move(list_);
  }

 private:
  void close() {
    list_.push_back(open_);
    open_ = {};
  }

  const Workload& load_;
  Bytes bucket_;
  Piece open_ = {};
  std::vector<Piece> list_;
};

struct Pass {
  Seconds end = {};   // of work and communication
  Seconds busy = {};  // communication alone
};

// The weights of a piece are gathered while the one before is computed; with `scatter`, its gradients leave
// behind it on the same stream.
Pass gathered_pass(const ParallelQuery& query, const std::vector<Piece>& pieces, bool scatter) {
  const collectives::Group group = whole_group(query.placement);
  Pass pass;
  Seconds stream{};  // when it is free again
  Seconds worked{};
  const auto send = [&](collectives::Collective collective, Bytes bytes, Seconds from) {
    if (bytes <= Bytes{}) return std::max(stream, from);
    const Seconds time = collective_cost(query.fabric, collective, bytes, group).total();
    pass.busy += time;
    stream = std::max(stream, from) + time;
    return stream;
  };
  Seconds gathered =
      pieces.empty() ? Seconds{} : send(collectives::Collective::all_gather, pieces[0].weights, {});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Seconds start = std::max(gathered, worked);
    if (i + 1 < pieces.size())
      gathered = send(collectives::Collective::all_gather, pieces[i + 1].weights, start);
    worked = start + pieces[i].work;
    if (scatter) send(collectives::Collective::reduce_scatter, pieces[i].weights, worked);
  }
  pass.end = std::max(worked, stream);
  return pass;
}

std::vector<Piece> forward_pieces(const Workload& load, double samples, Bytes bucket) {
  Pieces pieces(load, bucket);
  for (const LayerLoad& layer : load.layers()) {
    pieces.add(layer, layer.forward_start + samples * layer.forward);
  }
  return pieces.take();
}

std::vector<Piece> backward_pieces(const Workload& load, double samples, Bytes bucket) {
  Pieces pieces(load, bucket);
  for (auto layer = load.layers().rbegin(); layer != load.layers().rend(); ++layer) {
    pieces.add(*layer, layer->backward_start + samples * layer->backward);
  }
  return pieces.take();
}

void time_of_sharded_weights(const ParallelQuery& query, Bytes bucket, bool overlap, ParallelCost& cost) {
  const Workload& load = slowest_load(query);
  const double samples = query.batch / static_cast<double>(query.placement.total());
  const Pass forward = gathered_pass(query, forward_pieces(load, samples, bucket), false);
  const Pass backward = gathered_pass(query, backward_pieces(load, samples, bucket), true);
  const Seconds work = load.total().forward_of(samples) + load.total().backward_of(samples);
  cost.communication = forward.busy + backward.busy;
  cost.exposed = overlap ? std::max(Seconds{}, forward.end + backward.end - work) : cost.communication;
}

void time_of_whole_weights(const ParallelQuery& query, Bytes bucket, bool overlap, ParallelCost& cost) {
  const Workload& load = slowest_load(query);
  const double samples = query.batch / static_cast<double>(query.placement.total());
  const collectives::Group group = whole_group(query.placement);
  GradientStream stream({&query.fabric, collectives::Collective::reduce_scatter, group, bucket, overlap});
  Seconds now{};
  for (auto layer = load.layers().rbegin(); layer != load.layers().rend(); ++layer) {
    now += layer->backward_start + samples * layer->backward;
    stream.add(now, layer->weights * load.terms().element);
  }
  stream.finish(now);
  const Bytes weights = load.total().weights * load.terms().element;
  const Seconds gather =
      collective_cost(query.fabric, collectives::Collective::all_gather, weights, group).total();
  cost.communication = stream.busy() + gather;
  cost.exposed = stream.exposed() + gather;
}

// Stage 3 holds the weights of the largest layer as a whole while it is computed.
predict::MemoryNeed zero_memory(int stage, const ParallelQuery& query) {
  const Workload& load = slowest_load(query);
  const WorkloadTerms& terms = load.terms();
  const auto ranks = static_cast<double>(query.placement.total());
  const ParameterBytes held = zero_bytes(stage, terms.parameter, load.total().weights, ranks);
  predict::MemoryNeed memory{.weights = held.weight,
                             .gradients = held.gradient,
                             .optimizer = held.optimizer,
                             .activations = query.batch / ranks * load.total().kept,
                             .workspace = terms.workspace,
                             .context = terms.context};
  if (stage < 3) return memory;
  double largest = 0;
  for (const LayerLoad& layer : load.layers()) largest = std::max(largest, layer.weights);
  memory.weights += (1 - 1 / ranks) * largest * terms.parameter.weight;
  return memory;
}

}  // namespace

ParallelResult zero_cost(int stage, const ParallelQuery& query, const Parameters& parameters) {
  const std::int64_t devices = query.placement.total();
  const std::string name = "zero-" + std::to_string(stage);
  if (auto uneven = uneven_batch(name.c_str(), query.batch, devices)) return *uneven;
  const Workload& load = slowest_load(query);
  const auto ranks = static_cast<double>(devices);
  ParallelCost cost;
  cost.compute = load.total().forward_of(query.batch / ranks) +
                 load.total().backward_of(query.batch / ranks) + load.total().update / ranks;
  const auto time = stage >= 3 ? time_of_sharded_weights : time_of_whole_weights;
  time(query, parameters.bytes("bucket"), parameters.flag("overlap"), cost);
  cost.input = load.terms().input;
  cost.degrees.data = devices;
  cost.degrees.zero = stage;
  set_memory(cost, query, zero_memory(stage, query));
  return cost;
}

ParallelStrategyInfo zero_info(int stage, ParallelResult (*cost)(const ParallelQuery&, const Parameters&)) {
  ParallelStrategyInfo info;
  const std::string number = std::to_string(stage);
  const char* const divided[] = {"the optimizer state", "optimizer state and gradients",
                                 "optimizer state, gradients and weights"};
  info.id = "zero-" + number;
  info.summary = std::string("data parallelism that divides ") + divided[stage - 1] + " between the devices";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"zero" + number};
  if (stage == 3) info.aliases.emplace_back("fsdp");
  info.parameters = {bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  return info;
}

}  // namespace sextant::parallel
