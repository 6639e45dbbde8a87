// Transformers of the zoo: parameters and products by formula, then against the operator lists that
// NeuSight's tracer wrote for the same configurations (data outside the repository).
#include <gtest/gtest.h>

#include <map>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "shared_data.h"

namespace sextant::nets {
namespace {

Graph graph_of(const std::string& name, std::int64_t batch, std::int64_t seq) {
  return build(find_network(name), {.batch = batch, .seq = seq});
}

std::int64_t parameters(const std::string& name) {
  return cost(build(find_network(name), {})).total.parameters;
}

bool in_scope(const Node& node, const std::string& scope) {
  return node.name.starts_with(scope);
}

std::int64_t macs_in(const Graph& graph, const std::string& scope) {
  const GraphCost costs = cost(graph);
  std::int64_t macs = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    macs += in_scope(graph.nodes[i], scope) ? costs.ops[i].macs : 0;
  return macs;
}

// Products only, forward and backward; the additions of biases are left out.
double training_gemm_flops(const Graph& graph) {
  const GraphCost costs = cost(graph);
  double flops = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (costs.ops[i].macs == 0) continue;
    const auto* linear = std::get_if<Linear>(&graph.nodes[i].op);
    const bool bias = linear != nullptr && linear->bias;
    const double additions = bias ? static_cast<double>(element_count(graph.nodes[i].output)) : 0;
    flops += (costs.ops[i].forward + costs.ops[i].backward).value - 2 * additions;
  }
  return flops;
}

// A layer's forward pass takes 24 B s h² + 4 B s² h operations, half as many multiply-accumulates.
TEST(TransformerFormula, OneLayer) {
  const std::int64_t batch = 3;
  const std::int64_t seq = 640;
  for (const auto& [name, hidden] : std::map<std::string, std::int64_t>{
           {"gpt2-xl", 1600}, {"gpt3-2.7b", 2560}, {"opt-1.3b", 2048}, {"bert-large", 1024}}) {
    const std::int64_t flops = 24 * batch * seq * hidden * hidden + 4 * batch * seq * seq * hidden;
    EXPECT_EQ(2 * macs_in(graph_of(name, batch, seq), "layer0."), flops) << name;
  }
}

// B = 8, s = 1024, h = 1600, l = 48, V = 50257: 72 B s l h² (1 + s/6h + V/12lh) for a training step,
// 84.1609e12, and a third of it forward.
TEST(TransformerFormula, Gpt2XlStep) {
  const Graph graph = graph_of("gpt2-xl", 8, 1024);
  EXPECT_NEAR(2e-12 * static_cast<double>(cost(graph).total.macs), 28.0536, 5e-5);
  EXPECT_NEAR(1e-12 * training_gemm_flops(graph), 84.1609, 5e-5);
}

// V h words, P h positions; per layer 4 h² + 4 h of attention, 8 h² + 5 h of the MLP and 4 h of two
// layer norms; 2 h of the last one.
std::int64_t gpt_parameters(std::int64_t hidden, std::int64_t layers, std::int64_t vocabulary,
                            std::int64_t positions) {
  return (vocabulary + positions + 2) * hidden + layers * (12 * hidden * hidden + 13 * hidden);
}

TEST(TransformerParameters, GptAndOptByHand) {
  EXPECT_EQ(parameters("gpt2"), gpt_parameters(768, 12, 50257, 1024));
  EXPECT_EQ(parameters("gpt3_xl"), gpt_parameters(3072, 24, 50257, 2048));
  EXPECT_EQ(parameters("gpt3_27"), gpt_parameters(2560, 32, 50257, 2048));
  EXPECT_EQ(parameters("gpt3_67"), gpt_parameters(4096, 32, 50257, 2048));
  EXPECT_EQ(parameters("gpt3_13"), gpt_parameters(5120, 40, 50257, 2048));
  EXPECT_EQ(parameters("opt"), gpt_parameters(512, 1, 50272, 2050));
}

// Released checkpoints; BERT's have the encoder and pooler, to which a classifier of two adds 2 h + 2.
TEST(TransformerParameters, Published) {
  EXPECT_EQ(parameters("gpt2"), 124439808);
  EXPECT_EQ(parameters("gpt2_med"), 354823168);
  EXPECT_EQ(parameters("gpt2_large"), 774030080);
  EXPECT_EQ(parameters("gpt2_xl"), 1557611200);
  EXPECT_EQ(parameters("opt_13"), 1315758080);
  EXPECT_EQ(parameters("bert"), 109482240 + 2 * 768 + 2);
  EXPECT_EQ(parameters("bert_large"), 335141888 + 2 * 1024 + 2);
  EXPECT_EQ(parameters("bert-base-pretraining"), 110106428);
}

// Table 32128 x 1024 once; two tables of 32 distances for 32 heads; 72 attentions of 4 x 1024 x 4096;
// 24 dense MLPs and 24 x 4 experts of 2 x 1024 x 16384; 24 routers of 1024 x 4; 122 norms of 2 x 1024.
TEST(TransformerParameters, SwitchByHand) {
  const std::int64_t attention = 72 * (std::int64_t{4} * 1024 * 4096);
  const std::int64_t mlp = 120 * (std::int64_t{2} * 1024 * 16384);
  const std::int64_t want = 32128 * 1024 + 2 * 32 * 32 + attention + mlp + 24 * 1024 * 4 + 122 * 2 * 1024;
  EXPECT_EQ(parameters("switch-xl4"), want);
  for (const std::int64_t seq : {1, 3, 64, 300}) {
    EXPECT_EQ(cost(graph_of("switch-xl4", 1, seq)).total.parameters, want) << seq;
  }
}

TEST(TransformerParameters, PositionsGrowWithTheSequence) {
  const std::int64_t at_512 = cost(graph_of("bert", 1, 512)).total.parameters;
  EXPECT_EQ(cost(graph_of("bert", 1, 128)).total.parameters, at_512);
  EXPECT_EQ(cost(graph_of("bert", 1, 1024)).total.parameters, at_512 + 512 * 768);
}

// Element-wise work, per layer: two residual sums, one scaling (of scores, or of queries in OPT), one
// softmax, one activation. Positions and BERT's segments are one sum each.
TEST(TransformerLayout, ElementWiseOperators) {
  const auto elements = [](const std::string& name, const std::string& type) {
    std::pair<int, std::int64_t> found;  // how many, and of what size
    for (const Node& node : graph_of(name, 2, 64).nodes) {
      if (type_name(node.op) == type) found = {found.first + 1, element_count(node.output)};
    }
    return found;
  };
  EXPECT_EQ(elements("gpt2", "add"), std::pair(2 * 12 + 1, std::int64_t{2 * 64 * 768}));
  EXPECT_EQ(elements("bert", "add"), std::pair(2 * 12 + 2, std::int64_t{2 * 64 * 768}));
  EXPECT_EQ(elements("gpt2", "scale"), std::pair(12, std::int64_t{2 * 12 * 64 * 64}));
  EXPECT_EQ(elements("bert", "scale"), std::pair(12, std::int64_t{2 * 12 * 64 * 64}));
  EXPECT_EQ(elements("opt-1.3b", "scale"), std::pair(24, std::int64_t{2 * 64 * 2048}));
  EXPECT_EQ(elements("gpt2", "gelu-tanh"), std::pair(12, std::int64_t{2 * 64 * 3072}));
  EXPECT_EQ(elements("opt-1.3b", "relu"), std::pair(24, std::int64_t{2 * 64 * 8192}));
  EXPECT_EQ(elements("switch-xl4", "add").first, 72 + 48 + 48);  // attentions, MLPs, position biases
}

TEST(TransformerBinding, OnlyClassifiersHaveClasses) {
  const Graph graph = build(find_network("bert"), {.batch = 4, .seq = 16, .classes = 7});
  EXPECT_EQ(graph.nodes.at(static_cast<std::size_t>(graph.outputs.at(0))).output, (Shape{4, 7}));
  EXPECT_THROW(build(find_network("gpt2"), {.seq = 16, .classes = 7}), InputError);
  EXPECT_THROW(build(find_network("gpt2"), {.image = 224}), InputError);
}

// --- against the traced operators ---

struct Case {
  std::string model;
  std::string mode;  // inf or train
  std::int64_t seq;
  std::int64_t batch;
  auto operator<=>(const Case&) const = default;

  [[nodiscard]] std::string str() const {
    return model + " " + mode + ", " + std::to_string(batch) + " x " + std::to_string(seq);
  }
};

Case case_of(const CsvTable& table, std::size_t row) {
  return {table.text(row, table.column("model")), table.text(row, table.column("mode")),
          table.integer(row, table.column("seq_len")), table.integer(row, table.column("batch_size"))};
}

// BERT was timed with its pre-training heads in training, with the classifier alone in inference.
Graph graph_of(const Case& c) {
  const bool heads = c.model.starts_with("bert") && c.mode == "train";
  return graph_of(c.model + (heads ? "_pretraining" : ""), c.batch, c.seq);
}

TEST(TransformerFlops, AgreeWithTheTrace) {
  SEXTANT_NEEDS_DATA(path, "neusight/e2e_model_flops.csv");
  const CsvTable table = CsvTable::read_file(path);
  ASSERT_GT(table.rows(), 20U);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Case c = case_of(table, row);
    const Graph graph = graph_of(c);
    const double forward = table.number(row, table.column("forward_gemm_flops"));
    const double total = table.number(row, table.column("total_gemm_flops"));
    const double ours = 2 * static_cast<double>(cost(graph).total.macs);
    EXPECT_NEAR(ours / forward, 1, 5e-6) << c.str();  // the file has six digits
    EXPECT_NEAR((c.mode == "train" ? training_gemm_flops(graph) : ours) / total, 1, 5e-6) << c.str();
  }
}

using OpCounts = std::map<std::string, std::int64_t>;  // "Linear 8192x1024x4096" to how many

std::string rows_by_columns(const Shape& shape) {
  return to_string({element_count(shape) / shape.back(), shape.back()});
}

std::string product_dims(const Shape& a, std::int64_t columns) {
  const std::int64_t matrices = element_count(Shape(a.begin(), a.end() - 2));
  return to_string({matrices, a[a.size() - 2], a.back(), columns});
}

// Linear MxKxN and BMM BxMxKxN, layer norm and softmax rows x columns, in the trace's notation.
OpCounts our_operators(const Graph& graph) {
  OpCounts counts;
  for (const Node& node : graph.nodes) {
    const std::vector<Shape> in = graph.input_shapes(node);
    const std::string type = type_name(node.op);
    if (type == "linear")
      ++counts["Linear " + rows_by_columns(in[0]) + "x" + std::to_string(node.output.back())];
    if (type == "matmul") ++counts["BMM " + product_dims(in[0], node.output.back())];
    if (type == "layer-norm") ++counts["VECln " + rows_by_columns(node.output)];
    if (type == "softmax") ++counts["VECsoftmax " + rows_by_columns(node.output)];
  }
  return counts;
}

// The Switch trace calls 11 of its 144 attention products linear: [batch 32 512] rows by 512 or 128.
std::string attention_product(const Case& c, const std::string& dims) {
  const std::int64_t heads = 32;
  const std::vector<std::string> extents = split(dims, 'x');
  if (c.model != "switchxl4" || extents[0] != std::to_string(c.batch * heads * c.seq))
    return "Linear " + dims;
  return "BMM " + std::to_string(c.batch * heads) + "x" + std::to_string(c.seq) + "x" + extents[1] + "x" +
         extents[2];
}

std::map<Case, OpCounts> traced_operators(const CsvTable& table) {
  std::map<Case, OpCounts> traced;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, table.column("phase")) != "fw") continue;
    const Case c = case_of(table, row);
    const std::string op = table.text(row, table.column("op"));
    const std::string dims = table.text(row, table.column("dims"));
    const bool compared = op == "Linear" || op == "BMM" || op == "VECln" || op == "VECsoftmax";
    if (!compared) continue;
    const std::string key = op == "Linear" ? attention_product(c, dims) : op + " " + dims;
    traced[c][key] += table.integer(row, table.column("count"));
  }
  return traced;
}

// Switch: the trace has T5's norm as single steps, and a softmax over all routers for a loss term.
void drop_switch_differences(const Case& c, OpCounts& ours, OpCounts& theirs) {
  if (c.model != "switchxl4") return;
  EXPECT_EQ(ours["VECln " + to_string({c.batch * c.seq, 1024})], 122);
  EXPECT_EQ(theirs["VECsoftmax " + to_string({c.batch * c.seq * 12, 4})], 2);
  ours.erase("VECln " + to_string({c.batch * c.seq, 1024}));
  theirs.erase("VECsoftmax " + to_string({c.batch * c.seq * 12, 4}));
}

TEST(TransformerOperators, AgreeWithTheTrace) {
  SEXTANT_NEEDS_DATA(path, "neusight/e2e_model_ops.csv");
  const std::map<Case, OpCounts> traced = traced_operators(CsvTable::read_file(path));
  ASSERT_GT(traced.size(), 20U);
  for (const auto& [c, operators] : traced) {
    OpCounts ours = our_operators(graph_of(c));
    OpCounts theirs = operators;
    drop_switch_differences(c, ours, theirs);
    EXPECT_EQ(ours, theirs) << c.str();
  }
}

// Width, depth, heads, inner width and vocabulary of each named configuration, read off the graph.
TEST(TransformerOperators, AgreeWithTheConfigurations) {
  SEXTANT_NEEDS_DATA(path, "neusight/model_configs.csv");
  const CsvTable table = CsvTable::read_file(path);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = table.text(row, table.column("model"));
    const auto get = [&](const char* column) { return table.integer(row, table.column(column)); };
    if (name == "switchxl4") continue;  // an encoder-decoder: see the operators
    const std::int64_t hidden = get("hidden");
    const std::int64_t inner = table.maybe_number(row, table.column("ffn")) ? get("ffn") : 4 * hidden;
    const std::int64_t seq = 96;  // no width or head size of the table
    const Graph graph = graph_of(name, 1, seq);
    const auto& words = std::get<Embedding>(graph.nodes.at(1).op);
    EXPECT_EQ(words.entries, get("vocab")) << name;
    EXPECT_EQ(words.features, hidden) << name;
    OpCounts ours = our_operators(graph);
    EXPECT_EQ(ours["Linear " + to_string({seq, hidden, inner})], get("layers")) << name;
    EXPECT_EQ(ours["BMM " + to_string({get("heads"), seq, hidden / get("heads"), seq})], get("layers"))
        << name;
  }
}

}  // namespace
}  // namespace sextant::nets
