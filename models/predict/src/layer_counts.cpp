#include <variant>

#include "sextant/predict/per_layer.h"

namespace sextant::predict {
namespace {

struct Work {
  const char* type;
  double forward;
  double backward;
};

// The table of docs/models/per-layer.md, per sample; the caller multiplies by the batch.
struct Rules {
  double out;  // elements of a sample's result
  std::vector<nets::Shape> inputs;

  [[nodiscard]] double in() const {
    const nets::Shape& shape = inputs.at(0);
    return static_cast<double>(nets::element_count(shape)) / static_cast<double>(shape.at(0));
  }

  std::optional<Work> operator()(const nets::Conv& conv) const {
    const double window = static_cast<double>(conv.kernel.cells());
    const std::int64_t channels = inputs.at(0).at(1) / conv.groups;
    const double fan_in = window * static_cast<double>(channels);
    return Work{"conv", fan_in * out, (2 * fan_in + 1) * out};
  }
  std::optional<Work> operator()(const nets::Linear&) const {
    const double products = static_cast<double>(inputs.at(0).back()) * out;
    return Work{"fc", products, 2 * products};
  }
  std::optional<Work> operator()(const nets::LocalResponseNorm& norm) const {
    const auto window = static_cast<double>(norm.size);
    return Work{"norm", 5 * out + window - 2, 8 * out + window - 1};
  }
  std::optional<Work> operator()(const nets::Pool& pool) const {
    const double window = static_cast<double>(pool.kernel.cells());
    return Work{"pool", window * out, (window + 1) * out};
  }
  // Its windows cover the input once.
  std::optional<Work> operator()(const nets::AdaptivePool&) const { return Work{"pool", in(), in() + out}; }
  std::optional<Work> operator()(const nets::Activation& activation) const {
    if (activation.function != nets::Function::relu) return std::nullopt;
    return Work{"relu", 3 * out, 4 * out};
  }
  template <class Other>
  std::optional<Work> operator()(const Other&) const {
    return std::nullopt;
  }
};

class Counter {
 public:
  Counter(const jobs::Job& job, double batch) : train_(job.mode == jobs::Mode::train), batch_(batch) {}

  void add(const Work& work, std::optional<std::size_t> node) {
    counts.push_back({work.type, Direction::forward, batch_ * work.forward, node});
    if (train_) counts.push_back({work.type, Direction::backward, batch_ * work.backward, node});
  }

  std::vector<LayerCount> counts;

 private:
  bool train_;
  double batch_;
};

double input_elements(const nets::Graph& graph) {
  double sum = 0;
  for (const auto& node : graph.nodes) {
    if (const auto* input = std::get_if<nets::Input>(&node.op)) {
      sum += static_cast<double>(nets::element_count(input->shape));
    }
  }
  return sum;
}

}  // namespace

std::string to_string(Direction direction) {
  return direction == Direction::forward ? "forward" : "backward";
}

std::vector<LayerCount> layer_counts(const nets::Graph& graph, const nets::GraphCost& cost,
                                     const jobs::Job& job) {
  const auto batch = static_cast<double>(graph.batch());
  Counter counter(job, batch);
  const auto per_sample = [batch](const nets::Shape& shape) {
    return static_cast<double>(nets::element_count(shape)) / batch;
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    const Rules rules{per_sample(node.output), graph.input_shapes(node)};
    if (const auto work = std::visit(rules, node.op)) counter.add(*work, i);
  }
  counter.counts.push_back({"data-load", Direction::forward, input_elements(graph)});
  if (job.mode == jobs::Mode::infer) return counter.counts;
  const double classes = per_sample(graph.nodes.at(static_cast<std::size_t>(graph.outputs.at(0))).output);
  counter.add({"loss", 4 * classes - 1, classes + 1}, std::nullopt);
  if (job.optimizer != jobs::Optimizer::none) {
    const auto parameters = static_cast<double>(cost.total.parameters);
    counter.counts.push_back({"optimizer", Direction::backward, parameters});
  }
  return counter.counts;
}

}  // namespace sextant::predict
