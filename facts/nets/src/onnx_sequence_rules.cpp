// Recurrent layers, and sums of products in Einstein's notation.
// ONNX operators: github.com/onnx/onnx, docs/Operators.md.
#include <algorithm>

#include "onnx_translate.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

// ONNX gives the states of all positions [position, direction, batch, hidden], and those after the last one
// [direction, batch, hidden]; both follow from our result [position, batch, direction x hidden].
void all_states(OnnxStep& s, Tensor y, std::int64_t directions) {
  if (!s.used(0)) return;
  const Shape shape = s.shape_of(y);
  const std::int64_t hidden = shape[2] / directions;
  if (directions == 1) return s.result(s.view(y, {shape[0], 1, shape[1], hidden}));
  const Tensor apart = s.view(y, {shape[0], shape[1], directions, hidden});
  s.result(s.emit(Transpose{{0, 2, 1, 3}}, {apart}));
}

// The second direction ends at the first position.
void last_states(OnnxStep& s, Tensor y, std::int64_t directions) {
  if (!s.used(1)) return;
  const Shape shape = s.shape_of(y);
  const std::int64_t hidden = shape[2] / directions;
  std::vector<Tensor> ends;
  for (std::int64_t d = 0; d < directions; ++d) {
    const std::int64_t at = d == 0 ? shape[0] - 1 : 0;
    Tensor end = s.emit(Slice{0, at, at + 1}, {y});
    if (directions > 1) end = s.emit(Slice{2, d * hidden, (d + 1) * hidden}, {end});
    ends.push_back(end);
  }
  s.result(directions == 1 ? ends.front() : s.emit(Concat{0}, ends), 1);
}

// Weights [direction, gates x hidden, features]: their extents are all that counts, whether they are stored
// as they are or put together from parts. A first state other than zeros, lengths that differ and the last
// cell as a result have no counterpart.
template <Cell cell>
bool recurrent(OnnxStep& s) {
  if (!s.is_tensor(0) || !s.given(1) || !s.given(2) || s.used(2)) return false;
  const Shape x = s.shape(0);
  const Shape weight = s.shape(1);
  if (x.size() != 3 || weight.size() != 3 || s.node.get<std::int64_t>("layout", 0) != 0) return false;
  if (s.is_tensor(4) || s.is_tensor(5) || s.is_tensor(6) || s.given(7)) return false;
  const std::int64_t hidden = s.node.get<std::int64_t>("hidden_size", weight[1] / gates(cell));
  const bool both = s.node.get<std::string>("direction", "forward") == "bidirectional";
  if (weight[0] != (both ? 2 : 1) || hidden < 1 || weight[1] != gates(cell) * hidden) {
    throw InputError("has weights " + to_string(weight) + " that do not fit its direction and hidden size");
  }
  if (weight[2] != x[2]) {
    throw InputError("its weights take " + std::to_string(weight[2]) + " features, its input has " +
                     std::to_string(x[2]));
  }
  const Tensor y = s.emit(Recurrent{cell, hidden, both, s.given(3), true}, {s.tensor(0)});
  all_states(s, y, weight[0]);
  last_states(s, y, weight[0]);
  return true;
}

// "bhid,bhjd->bhij": labels of two operands and of the result, each label once.
struct Equation {
  std::string a, b, out;
};

bool unique(const std::string& labels) {
  return std::ranges::all_of(labels, [&](char c) { return std::ranges::count(labels, c) == 1; });
}

std::optional<Equation> parsed(std::string text) {
  std::erase(text, ' ');
  const auto comma = text.find(',');
  const auto arrow = text.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || comma > arrow) return {};
  Equation e{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
  for (const std::string* part : {&e.a, &e.b, &e.out}) {
    if (part->find_first_of(".,") != std::string::npos || !unique(*part)) return {};
  }
  const bool known = std::ranges::all_of(
      e.out, [&](char c) { return e.a.find(c) != std::string::npos || e.b.find(c) != std::string::npos; });
  return known ? std::optional(e) : std::nullopt;
}

std::string those(const std::string& labels, const std::string& in, bool wanted) {
  std::string kept;
  std::ranges::copy_if(labels, std::back_inserter(kept),
                       [&](char c) { return (in.find(c) != std::string::npos) == wanted; });
  return kept;
}

std::int64_t extent_product(const std::string& labels, const std::string& of, const Shape& shape) {
  std::int64_t product = 1;
  for (const char c : labels) product = checked_product({product, shape.at(of.find(c))});
  return product;
}

Tensor arranged(OnnxStep& s, Tensor x, const std::string& from, const std::string& to) {
  if (from == to) return x;
  Transpose op;
  for (const char c : to) op.order.push_back(static_cast<int>(from.find(c)));
  return s.emit(op, {x});
}

// A batched matrix product, between transpositions of what goes in and comes out.
bool einsum(OnnxStep& s) {
  const auto e = parsed(s.node.get<std::string>("equation", ""));
  if (!e || s.node.inputs.size() != 2 || !s.given(0) || !s.given(1)) return false;
  const Shape a = s.shape(0);
  const Shape b = s.shape(1);
  if (a.size() != e->a.size() || b.size() != e->b.size()) return false;
  const std::string shared = those(e->a, e->b, true);
  const std::string batch = those(shared, e->out, true);
  const std::string inner = those(shared, e->out, false);
  const std::string rows = those(e->a, e->b, false);
  const std::string columns = those(e->b, e->a, false);
  if (those(rows, e->out, false) + those(columns, e->out, false) != "")
    return false;  // sums over one operand
  for (const char c : shared) {
    if (a[e->a.find(c)] != b[e->b.find(c)]) throw InputError("multiplies extents that differ");
  }
  const std::int64_t n = extent_product(batch, e->a, a);
  const std::int64_t k = extent_product(inner, e->a, a);
  const std::int64_t m = extent_product(rows, e->a, a);
  const std::int64_t p = extent_product(columns, e->b, b);
  const Tensor left = s.view(arranged(s, s.tensor(0), e->a, batch + rows + inner), {n, m, k});
  const Tensor right = s.view(arranged(s, s.tensor(1), e->b, batch + inner + columns), {n, k, p});
  const Tensor product = s.emit(MatMul{}, {left, right});
  const std::string made = batch + rows + columns;
  Shape apart;
  for (const char c : made) {
    const auto at = e->a.find(c);
    apart.push_back(at != std::string::npos ? a[at] : b[e->b.find(c)]);
  }
  s.result(arranged(s, s.view(product, apart), made, e->out));
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_sequence_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"LSTM", recurrent<Cell::lstm>},
      {"GRU", recurrent<Cell::gru>},  // the place of the reset gate changes no count
      {"RNN", recurrent<Cell::rnn>},
      {"Einsum", einsum},
  };
  return rules;
}

}  // namespace sextant::nets
