#include "executor_cases.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "drawn_batch.h"
#include "sextant/nets/network.h"
#include "weight_layout.h"

namespace sextant::engine {
namespace {

constexpr std::uint32_t kInput = 1000;  // counts as a tensor of its own

// Numbers in [-sqrt(3), sqrt(3)), deviation 1, without a pattern that would make matrices singular.
double scattered(std::int64_t i, std::uint32_t tensor) {
  std::uint32_t bits = static_cast<std::uint32_t>(i) * 2654435761U + tensor * 97U;
  bits = (bits ^ (bits >> 15)) * 2246822519U;
  bits = (bits ^ (bits >> 13)) * 3266489917U;
  bits ^= bits >> 16;
  return std::sqrt(3.0) * (static_cast<double>(bits) / 0x1p31 - 1);
}

// What a weight tensor holds at element i; `index` counts tensors from the first layer.
double weight_at(const PlacedTensor& tensor, std::int64_t i, std::size_t index) {
  const double w = scattered(i, static_cast<std::uint32_t>(index));
  if (tensor.role == "value") return w;
  if (tensor.role.starts_with("bias")) return 0.1 * w;
  if (tensor.shape.size() == 1) return 1 + 0.1 * w;
  const std::int64_t fan = tensor.count / tensor.shape[0];
  return w / std::sqrt(static_cast<double>(fan));
}

nets::Tensor attention(nets::GraphBuilder& g, nets::Tensor x) {
  const std::int64_t width = 16;
  const nets::Tensor fused = g.linear(g.layer_norm(x), 3 * width);
  const auto head = [&](std::int64_t i) {
    const nets::Tensor part = g.add(nets::Slice{2, i * width, (i + 1) * width}, {fused});
    return g.add(nets::Transpose{{0, 2, 1, 3}}, {g.add(nets::Reshape{{2, 9, 4, 4}}, {part})});
  };
  const nets::Tensor q = head(0);
  const nets::Tensor k = head(1);
  const nets::Tensor v = head(2);
  const nets::Tensor scores = g.add(nets::Scale{0.5}, {g.add(nets::MatMul{true}, {q, k})});
  const nets::Tensor mixed = g.add(nets::MatMul{}, {g.activation(scores, nets::Function::softmax), v});
  const nets::Tensor merged =
      g.add(nets::Reshape{{2, 9, width}}, {g.add(nets::Transpose{{0, 2, 1, 3}}, {mixed})});
  return g.linear(merged, width);
}

nets::Graph transformer() {
  nets::GraphBuilder g("transformer");
  const nets::Tensor words = g.add(nets::Embedding{50, 16}, {g.tokens(2, 9)});
  const nets::Tensor positions = g.add(nets::Slice{0, 0, 9}, {g.add(nets::Parameter{{12, 16}}, {})});
  nets::Tensor x = g.sum(words, positions);
  for (int i = 0; i < 2; ++i) {
    x = g.sum(x, attention(g, x));
    const nets::Tensor inner = g.activation(g.linear(g.layer_norm(x), 64), nets::Function::gelu_tanh);
    x = g.sum(x, g.linear(inner, 16));
  }
  return g.finish(g.tied_linear(g.layer_norm(x), words));
}

}  // namespace

std::vector<ExpectedCase> read_expected(const std::string& file) {
  std::ifstream in(std::string(SEXTANT_SOURCE_DIR) + "/runtime/engine/tests/cases/" + file);
  std::vector<ExpectedCase> cases;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "case") words >> cases.emplace_back().name;
    if (key == "loss") words >> cases.back().loss;
    if (key == "rate") words >> cases.back().rate;
    if (key == "statistics")
      words >> cases.back().statistics.emplace_back() >> cases.back().statistics.emplace_back();
    if (key == "after") {
      std::string optimizer;
      words >> optimizer;
      words >> cases.back().after[optimizer];
    }
    if (key == "gradient") {
      std::size_t index = 0;
      ExpectedGradient& g = cases.back().gradients.emplace_back();
      words >> index >> g.sum >> g.weighted >> g.norm;
    }
    if (words.fail()) throw std::runtime_error(file + ": cannot read '" + line + "'");
  }
  return cases;
}

nets::Graph operator_graph(const std::string& name) {
  nets::GraphBuilder g(name);
  const nets::Tensor result = operator_cases().at(name)(g);
  return g.finish(
      g.add(nets::Binary{nets::Arithmetic::multiply}, {result, g.add(nets::Parameter{g.shape(result)}, {})}));
}

nets::Graph network_graph(const std::string& name) {
  if (name == "transformer") return transformer();
  nets::Binding binding{.batch = 2, .image = 64};
  if (name == "lenet5") binding = {.batch = 4};
  nets::Graph graph = build(nets::zoo().get(name), binding);
  for (nets::Node& node : graph.nodes) {
    if (auto* dropout = std::get_if<nets::Dropout>(&node.op)) dropout->rate = 0;
  }
  return graph;
}

void set_weights(measure::Replica& replica, const nets::Graph& graph) {
  const WeightLayout layout = weight_layout(graph);
  for (std::size_t k = 0; k < layout.parameters.size(); ++k) {
    const PlacedTensor& tensor = layout.parameters[k];
    const std::size_t index = layout.parameters.size() - 1 - k;
    for (std::int64_t i = 0; i < tensor.count; ++i) {
      replica.parameters()[static_cast<std::size_t>(tensor.offset + i)] =
          static_cast<float>(weight_at(tensor, i, index));
    }
  }
}

input::Batch batch_for(const nets::Graph& graph) {
  input::Batch batch;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const auto* input = std::get_if<nets::Input>(&graph.nodes[n].op);
    if (input == nullptr) continue;
    const std::int64_t range = token_range(graph, static_cast<nets::NodeId>(n));
    for (std::int64_t i = 0; i < nets::element_count(input->shape); ++i) {
      const double value = input->indices ? static_cast<double>((i * 5 + 1) % range) : scattered(i, kInput);
      batch.values.push_back(static_cast<float>(value));
    }
  }
  const nets::Shape& out = graph.nodes[static_cast<std::size_t>(graph.outputs.at(0))].output;
  if (out.size() != 2 && out.size() != 3) return batch;
  const std::int64_t rows = nets::element_count(out) / out.back();
  for (std::int64_t i = 0; i < rows; ++i) batch.labels.push_back((i * 7 + 3) % out.back());
  return batch;
}

}  // namespace sextant::engine
