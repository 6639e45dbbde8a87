#include "lower_transformer.h"

namespace sextant::predict {
namespace {

double real(std::int64_t value) {
  return static_cast<double>(value);
}

struct AttentionView {
  double batch = 0;  // of sequences and heads
  double rows = 0;   // queries
  double keys = 0;   // that a query sees on average
  double key_size = 0;
  double value_size = 0;
  double moved = 0;  // elements of queries, keys, values and result
};

AttentionView attention_view(const LoweringContext& c, const nets::Node& node, const nets::Attention& op) {
  const std::vector<nets::Shape> in = c.graph.input_shapes(node);
  AttentionView v;
  v.batch = real(in.at(0)[0] * op.heads);
  v.rows = real(in.at(0)[1]);
  v.keys = real(nets::attended_pairs(op, in.at(0)[1], in.at(1)[1])) / v.rows;
  v.key_size = real(in.at(0)[2] / op.heads);
  v.value_size = real(node.output[2] / op.heads);
  for (const nets::Shape& shape : in) v.moved += real(nets::element_count(shape));
  v.moved += real(nets::element_count(node.output));
  return v;
}

// Its part of the traffic is that of the whole kernel.
Kernel inside_attention(const GemmShape& shape, double elements, double element_bytes) {
  Kernel k = product(KernelKind::batched_gemm, shape, element_bytes);
  k.bytes = elements * element_bytes;
  k.elements = elements;
  return k;
}

struct ExpertsView {
  GemmShape up;
  GemmShape down;
  double chosen = 0;  // values of places, once for each expert that they go to
  double inner = 0;   // values between the products
};

ExpertsView experts_view(const LoweringContext& c, const nets::Node& node, const nets::Experts& op) {
  const nets::Shape in = c.graph.input_shapes(node).at(0);
  const double places = real(in[0] * in[1]) * real(op.per_token);
  const double count = real(op.count);
  const double up = (op.gated ? 2 : 1) * real(op.inner);
  ExpertsView v;
  v.up = {count, places / count, up, real(in[2])};
  v.down = {count, places / count, real(in[2]), real(op.inner)};
  v.chosen = places * real(in[2]);
  v.inner = places * real(op.inner);
  return v;
}

}  // namespace

void attention_kernels(const LoweringContext& c, const nets::Node& node, const nets::Attention& op,
                       Kernels& out) {
  const AttentionView v = attention_view(c, node, op);
  out.push_back(inside_attention({v.batch, v.rows, v.keys, v.key_size}, v.moved / 2, c.element_bytes));
  out.push_back(inside_attention({v.batch, v.rows, v.value_size, v.keys}, v.moved / 2, c.element_bytes));
  if (op.picks == 0) return;
  const std::vector<nets::Shape> in = c.graph.input_shapes(node);
  const double all = real(nets::attended_pairs(op.mask, in.at(0)[1], in.at(1)[1])) / v.rows;
  out.push_back(product(KernelKind::batched_gemm,
                        {real(in.at(0)[0] * op.index_heads), v.rows, all, real(in.at(4)[2])},
                        c.element_bytes));
}

void attention_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::Attention& op,
                            Kernels& out) {
  const AttentionView v = attention_view(c, node, op);
  const double part = 2 * v.moved / 5;
  // Scores again and their gradients; then those of queries, keys and values.
  out.push_back(inside_attention({v.batch, v.rows, v.keys, v.key_size}, part, c.element_bytes));
  out.push_back(inside_attention({v.batch, v.rows, v.keys, v.value_size}, part, c.element_bytes));
  out.push_back(inside_attention({v.batch, v.rows, v.key_size, v.keys}, part, c.element_bytes));
  out.push_back(inside_attention({v.batch, v.rows, v.key_size, v.keys}, part, c.element_bytes));
  out.push_back(inside_attention({v.batch, v.rows, v.value_size, v.keys}, part, c.element_bytes));
}

// Places are sorted by expert, widened, activated, narrowed, and summed where they came from.
void experts_kernels(const LoweringContext& c, const nets::Node& node, const nets::Experts& op,
                     Kernels& out) {
  const ExpertsView v = experts_view(c, node, op);
  out.push_back(moving(KernelKind::gather, 2 * v.chosen * c.element_bytes, v.chosen));
  out.push_back(product(KernelKind::batched_gemm, v.up, c.element_bytes));
  out.push_back(moving(KernelKind::elementwise, (op.gated ? 3 : 2) * v.inner * c.element_bytes, v.inner));
  out.push_back(product(KernelKind::batched_gemm, v.down, c.element_bytes));
  out.push_back(moving(KernelKind::gather, 2 * v.chosen * c.element_bytes, v.chosen));
}

void experts_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::Experts& op,
                          Kernels& out) {
  const ExpertsView v = experts_view(c, node, op);
  out.push_back(moving(KernelKind::gather, 3 * v.chosen * c.element_bytes, v.chosen));
  for (const GemmShape& g : {v.down, v.up}) {
    out.push_back(product(KernelKind::batched_gemm, {g.batch, g.m, g.k, g.n}, c.element_bytes));
    out.push_back(product(KernelKind::batched_gemm, {g.batch, g.k, g.n, g.m}, c.element_bytes));
  }
  out.push_back(moving(KernelKind::elementwise, (op.gated ? 5 : 3) * v.inner * c.element_bytes, v.inner));
  out.push_back(moving(KernelKind::gather, 3 * v.chosen * c.element_bytes, v.chosen));
}

// In blocks of places, as products with the state of a value head.
void delta_rule_kernels(const LoweringContext& c, const nets::Node& node, const nets::DeltaRule& op,
                        Kernels& out) {
  const std::vector<nets::Shape> in = c.graph.input_shapes(node);
  double moved = real(nets::element_count(node.output));
  for (const nets::Shape& shape : in) moved += real(nets::element_count(shape));
  const double key = real(in.at(0)[2] / op.key_heads);
  const double value = real(node.output[2] / op.value_heads);
  const GemmShape state = {real(in.at(0)[0] * op.value_heads), real(in.at(0)[1]), value,
                           (op.corrects ? 3 : 2) * key};
  out.push_back(inside_attention(state, moved, c.element_bytes));
}

void delta_rule_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::DeltaRule& op,
                             Kernels& out) {
  delta_rule_kernels(c, node, op, out);
  delta_rule_kernels(c, node, op, out);
}

}  // namespace sextant::predict
