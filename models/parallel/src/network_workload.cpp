#include "sextant/parallel/network_workload.h"

#include <algorithm>
#include <cmath>

#include "pass_prices.h"
#include "tensor_roles.h"

namespace sextant::parallel {
namespace {

// A step at one batch size, with its seconds by operator: they add up to the step less its input copy.
struct Timed {
  predict::Prediction prediction;
  std::vector<predict::OpTime> ops;
  double batch = 1;
};

Seconds sum(const predict::OpTime& op) {
  return op.forward + op.backward + op.update;
}

Timed time_step(const predict::Predictor& predictor, const predict::Query& q) {
  Timed timed{predictor.predict(q), predictor.op_times(q), static_cast<double>(q.job.sizes.batch)};
  Seconds total;
  for (const predict::OpTime& op : timed.ops) total += sum(op);
  const Seconds layers = timed.prediction.iteration - timed.prediction.breakdown.input;
  const double stretch = total > Seconds{} ? layers / total : 0;
  for (predict::OpTime& op : timed.ops) {
    op = {stretch * op.forward, stretch * op.backward, stretch * op.update};
  }
  return timed;
}

Timed time_other_batch(const ProfileSource& source, const predict::Query& q) {
  jobs::Job job = q.job;
  job.sizes.batch = q.job.sizes.batch > 1 ? q.job.sizes.batch / 2 : 2;
  GraphMemo own;
  GraphMemo& graphs = source.graphs == nullptr ? own : *source.graphs;
  const auto other = graphs.of(source.network, job.sizes, job.precision);
  return time_step(source.predictor, {job, other->graph, other->cost, q.gpu});
}

// What begins a layer: operators with weights, products, pools. The others belong to what is before them.
bool begins_layer(const nets::Op& op) {
  return std::holds_alternative<nets::Conv>(op) || std::holds_alternative<nets::Linear>(op) ||
         std::holds_alternative<nets::MatMul>(op) || std::holds_alternative<nets::Embedding>(op) ||
         std::holds_alternative<nets::Pool>(op) || std::holds_alternative<nets::AdaptivePool>(op) ||
         std::holds_alternative<nets::LayerNorm>(op) || std::holds_alternative<nets::ConvTranspose>(op) ||
         std::holds_alternative<nets::GroupNorm>(op) || std::holds_alternative<nets::Recurrent>(op) ||
         std::holds_alternative<nets::Attention>(op) || std::holds_alternative<nets::Experts>(op) ||
         std::holds_alternative<nets::DeltaRule>(op) || std::holds_alternative<nets::Opaque>(op);
}

double elements(const nets::Shape& shape, double batch) {
  return static_cast<double>(nets::element_count(shape)) / batch;
}

class LayerBuilder {
 public:
  LayerBuilder(const predict::Query& query, const Timed& here, const Timed& there)
      : q_(query), here_(here), there_(there), roles_(tensor_roles(query.graph)) {}

  // Layers, and the last node of each.
  std::pair<std::vector<LayerLoad>, std::vector<std::size_t>> run() {
    for (std::size_t i = 0; i < q_.graph.nodes.size(); ++i) {
      const nets::Node& node = q_.graph.nodes[i];
      if (layers_.empty() || begins_layer(node.op)) begin(i);
      add(i);
    }
    set_crossings();
    fit_kept();
    return {std::move(layers_), std::move(last_)};
  }

 private:
  void begin(std::size_t i) {
    const nets::Node& node = q_.graph.nodes[i];
    LayerLoad layer;
    layer.name = node.name;
    for (const nets::Shape& shape : q_.graph.input_shapes(node)) layer.input += elements(shape, here_.batch);
    layer.output = elements(node.output, here_.batch);
    layer.tensor = roles_[i];
    layer.heads = heads_of(node);
    if (node.output.size() == 4 && layer.heads == 0) set_map(node, layer);
    set_split(node, layer);
    layers_.push_back(std::move(layer));
    last_.push_back(i);
  }

  void set_map(const nets::Node& node, LayerLoad& layer) const {
    layer.height = node.output[2];
    layer.width = node.output[3];
    const auto inputs = q_.graph.input_shapes(node);
    if (!inputs.empty() && inputs.front().size() == 4) layer.input_height = inputs.front()[2];
    if (const auto* conv = std::get_if<nets::Conv>(&node.op)) layer.halo = conv->kernel.height / 2;
    if (const auto* pool = std::get_if<nets::Pool>(&node.op)) layer.halo = pool->kernel.height / 2;
  }

  void set_split(const nets::Node& node, LayerLoad& layer) const {
    const auto inputs = q_.graph.input_shapes(node);
    if (const auto* conv = std::get_if<nets::Conv>(&node.op)) {
      layer.filters = conv->out_channels;
      layer.channels = inputs.front()[1];
    } else if (const auto* linear = std::get_if<nets::Linear>(&node.op)) {
      layer.filters = linear->out_features;
      layer.channels = inputs.front().back();
    }
  }

  void add(std::size_t i) {
    LayerLoad& layer = layers_.back();
    last_.back() = i;
    layer.weights += static_cast<double>(q_.cost.ops[i].parameters);
    layer.work += (q_.cost.ops[i].forward + q_.cost.ops[i].backward).value / here_.batch;
    layer.kept += q_.cost.ops[i].saved / here_.batch;
    split_time(&predict::OpTime::forward, i, layer.forward, layer.forward_start);
    split_time(&predict::OpTime::backward, i, layer.backward, layer.backward_start);
    layer.update += here_.ops[i].update;
  }

  // start + samples x per_sample through both batch sizes; neither is ever negative.
  void split_time(Seconds predict::OpTime::*part, std::size_t i, Seconds& per_sample, Seconds& start) const {
    const Seconds here = here_.ops[i].*part;
    const Seconds slope = (here - there_.ops[i].*part) / (here_.batch - there_.batch);
    const Seconds each = std::clamp(slope, Seconds{}, here / here_.batch);
    per_sample += each;
    start += here - here_.batch * each;
  }

  // A cut behind a layer is crossed by every tensor made before it that is read after it.
  void set_crossings() {
    std::vector<std::size_t> last_reader(q_.graph.nodes.size());
    for (std::size_t i = 0; i < q_.graph.nodes.size(); ++i) {
      for (const nets::NodeId input : q_.graph.nodes[i].inputs)
        last_reader[static_cast<std::size_t>(input)] = i;
    }
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      for (std::size_t i = 0; i <= last_[layer]; ++i) {
        const bool weight = std::holds_alternative<nets::Parameter>(q_.graph.nodes[i].op);
        if (last_reader[i] <= last_[layer] || weight) continue;
        layers_[layer].crossing += elements(q_.graph.nodes[i].output, here_.batch);
      }
    }
  }

  // Stacks keep a little more or less than the count: the model of memory has the last word.
  void fit_kept() {
    Bytes counted;
    for (const LayerLoad& layer : layers_) counted += layer.kept;
    const Bytes needed = here_.prediction.memory.activations / here_.batch;
    if (counted <= Bytes{}) return;
    for (LayerLoad& layer : layers_) layer.kept = (needed / counted) * layer.kept;
  }

  const predict::Query& q_;
  const Timed& here_;
  const Timed& there_;
  std::vector<TensorRole> roles_;
  std::vector<LayerLoad> layers_;
  std::vector<std::size_t> last_;  // node of each layer
};

WorkloadTerms terms_of(const predict::Query& q, const predict::Prediction& p) {
  const double parameters = std::max(1.0, static_cast<double>(q.cost.total.parameters));
  return {.element = element_size(q.job.precision),
          .parameter = {p.memory.weights / parameters, p.memory.gradients / parameters,
                        p.memory.optimizer / parameters},
          .workspace = p.memory.workspace,
          .context = p.memory.context,
          .input = p.breakdown.input};
}

std::string graph_key(const nets::Network& network, const nets::Binding& sizes, Precision precision) {
  std::string key = network.id + "|" + to_string(precision) + "|" + std::to_string(sizes.batch);
  for (const auto& size : {sizes.image, sizes.seq, sizes.classes})
    key += "|" + std::to_string(size.value_or(0));
  return key;
}

}  // namespace

std::shared_ptr<const CountedGraph> GraphMemo::of(const nets::Network& network, const nets::Binding& sizes,
                                                  Precision precision) {
  constexpr std::size_t kMost = 16;  // questions come sorted by their graphs
  const std::lock_guard lock(mutex_);
  const std::string key = graph_key(network, sizes, precision);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (known_.size() >= kMost) known_.clear();
  nets::Graph graph = build(network, sizes);
  nets::GraphCost counted = cost(graph, precision);
  const auto made = std::make_shared<const CountedGraph>(CountedGraph{std::move(graph), std::move(counted)});
  known_.emplace(key, made);
  return made;
}

ProfiledStep profile_step(const ProfileSource& source, const predict::Query& q) {
  const Timed here = time_step(source.predictor, q);
  const Timed there = time_other_batch(source, q);
  auto [layers, last] = LayerBuilder(q, here, there).run();
  const WorkloadTerms terms = terms_of(q, here.prediction);
  Workload load(layers, terms);
  load.price_passes(pass_pricing({source, q.job, q.gpu, std::move(layers), std::move(last), terms}));
  return {here.prediction, std::move(load)};
}

ProfiledStep profile_step(const ProfileSource& source, const jobs::Job& job, const catalog::Gpu& gpu) {
  const nets::Graph graph = build(source.network, job.sizes);
  return profile_step(source, {job, graph, cost(graph, job.precision), gpu});
}

}  // namespace sextant::parallel
