#include "onnx_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "onnx_fold.h"

namespace sextant::nets {
namespace {

using Operands = std::vector<const OnnxConstant*>;
using Folded = std::optional<OnnxConstant>;
using Values = std::vector<double>;
using Places = std::vector<std::size_t>;

// For each element of `out`, in order, where it stands in a tensor with these steps along the axes of `out`.
Places places(const Shape& out, const std::vector<std::int64_t>& steps) {
  Places result(static_cast<std::size_t>(element_count(out)), 0);
  std::vector<std::int64_t> at(out.size(), 0);
  std::int64_t place = 0;
  for (auto& entry : result) {
    entry = static_cast<std::size_t>(place);
    for (std::size_t axis = out.size(); axis-- > 0;) {
      place += steps[axis];
      if (++at[axis] < out[axis]) break;
      place -= steps[axis] * out[axis];
      at[axis] = 0;
    }
  }
  return result;
}

std::vector<std::int64_t> steps_of(const Shape& dims) {
  std::vector<std::int64_t> steps(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) steps[i - 1] = steps[i] * dims[i];
  return steps;
}

// Axes of extent 1 are repeated, axes that are missing in front too.
Places repeated_places(const Shape& out, const Shape& in) {
  const auto own = steps_of(in);
  std::vector<std::int64_t> steps(out.size(), 0);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t axis = out.size() - in.size() + i;
    steps[axis] = in[i] == 1 ? 0 : own[i];
  }
  return places(out, steps);
}

double floor_mod(double a, double b) {
  return b == 0 ? std::nan("") : a - b * std::floor(a / b);
}

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

Function2 binary_function(const std::string& type) {
  static const std::map<std::string, Function2> functions = {
      {"Add", [](double a, double b) { return a + b; }},
      {"Sub", [](double a, double b) { return a - b; }},
      {"Mul", [](double a, double b) { return a * b; }},
      {"Div", [](double a, double b) { return b == 0 ? std::nan("") : a / b; }},
      {"Mod", floor_mod},
      {"Pow", [](double a, double b) { return std::pow(a, b); }},
      {"Min", [](double a, double b) { return std::min(a, b); }},
      {"Max", [](double a, double b) { return std::max(a, b); }},
      {"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
      {"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
      {"LessOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
      {"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
      {"GreaterOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
      {"And", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
      {"Or", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
  };
  const auto it = functions.find(type);
  return it == functions.end() ? nullptr : it->second;
}

Function1 unary_function(const std::string& type) {
  static const std::map<std::string, Function1> functions = {
      {"Sqrt", [](double x) { return std::sqrt(x); }},      {"Floor", [](double x) { return std::floor(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},      {"Neg", [](double x) { return -x; }},
      {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }}, {"Abs", [](double x) { return std::abs(x); }},
      {"Exp", [](double x) { return std::exp(x); }},        {"Log", [](double x) { return std::log(x); }},
      {"Sin", [](double x) { return std::sin(x); }},        {"Cos", [](double x) { return std::cos(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
  };
  const auto it = functions.find(type);
  return it == functions.end() ? nullptr : it->second;
}

Folded unary(Function1 function, const OnnxConstant& c) {
  OnnxConstant result = c;
  result.weight.clear();
  if (result.values) std::ranges::transform(*result.values, result.values->begin(), function);
  return result;
}

Folded binary(const std::string& type, Function2 function, const OnnxConstant& a, const OnnxConstant& b) {
  const auto dims = broadcast_dims(a.dims, b.dims);
  if (!dims) return {};
  OnnxConstant result{.dims = *dims, .integer = a.integer && b.integer};
  if (!a.values || !b.values || !keeps_values(*dims)) return result;
  const Places from_a = repeated_places(*dims, a.dims);
  const Places from_b = repeated_places(*dims, b.dims);
  const bool whole = type == "Div" && result.integer;
  Values values(from_a.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = function((*a.values)[from_a[i]], (*b.values)[from_b[i]]);
    values[i] = whole ? std::trunc(value) : value;
  }
  result.values = std::move(values);
  return result;
}

Folded where(const Operands& in) {
  if (in.size() != 3) return {};
  auto dims = broadcast_dims(in[0]->dims, in[1]->dims);
  if (dims) dims = broadcast_dims(*dims, in[2]->dims);
  if (!dims) return {};
  OnnxConstant result{.dims = *dims, .integer = in[1]->integer && in[2]->integer};
  const bool known = std::ranges::all_of(in, [](const OnnxConstant* c) { return c->values.has_value(); });
  if (!known || !keeps_values(*dims)) return result;
  std::array<Places, 3> from;
  for (std::size_t k = 0; k < 3; ++k) from[k] = repeated_places(*dims, in[k]->dims);
  Values values(from[0].size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t chosen = (*in[0]->values)[from[0][i]] != 0 ? 1 : 2;
    values[i] = (*in[chosen]->values)[from[chosen][i]];
  }
  result.values = std::move(values);
  return result;
}

Folded concat(const OnnxNode& node, const Operands& in) {
  const auto axis = onnx_axis(node.get<std::int64_t>("axis", 0), in[0]->dims.size());
  if (!axis) return {};
  OnnxConstant result{.dims = in[0]->dims, .integer = true};
  result.dims[*axis] = 0;
  bool known = true;
  for (const OnnxConstant* part : in) {
    Shape others = part->dims;
    if (others.size() != result.dims.size()) return {};
    others[*axis] = result.dims[*axis];
    if (others != result.dims) return {};
    result.dims[*axis] += part->dims[*axis];
    if (result.dims[*axis] > kLargestOnnxTensor) return {};
    result.integer = result.integer && part->integer;
    known = known && part->values.has_value();
  }
  if (!known || !keeps_values(result.dims)) return result;
  const auto split = result.dims.begin() + static_cast<std::ptrdiff_t>(*axis);
  const std::int64_t outer = element_count(Shape(result.dims.begin(), split));
  Values values;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const OnnxConstant* part : in) {
      const auto run = static_cast<std::ptrdiff_t>(element_count(part->dims) / outer);
      const auto from = part->values->begin() + static_cast<std::ptrdiff_t>(o) * run;
      values.insert(values.end(), from, from + run);
    }
  }
  result.values = std::move(values);
  return result;
}

Folded expand(const Operands& in) {
  const auto target = in.size() == 2 ? integers(*in[1]) : std::nullopt;
  if (!target || std::ranges::any_of(*target, [](auto extent) { return extent < 0; })) return {};
  const auto dims = broadcast_dims(in[0]->dims, *target);
  if (!dims) return {};
  OnnxConstant result{.dims = *dims, .integer = in[0]->integer};
  if (!in[0]->values || !keeps_values(*dims)) return result;
  Values values;
  for (const std::size_t place : repeated_places(*dims, in[0]->dims))
    values.push_back((*in[0]->values)[place]);
  result.values = std::move(values);
  return result;
}

// Of matrices, whatever stands before them.
Folded trilu(const OnnxNode& node, const Operands& in) {
  if (in[0]->dims.size() < 2 || in.size() > 2) return {};
  const auto shift = in.size() == 2 ? integers(*in[1]) : std::vector<std::int64_t>{0};
  if (!shift || shift->size() != 1) return {};
  OnnxConstant result = *in[0];
  if (!result.values) return result;
  const bool upper = node.get<std::int64_t>("upper", 1) != 0;
  const std::int64_t columns = result.dims.back();
  const std::int64_t rows = result.dims[result.dims.size() - 2];
  for (std::size_t i = 0; i < result.values->size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t diagonal = at % columns - at / columns % rows;
    if (upper ? diagonal < shift->front() : diagonal > shift->front()) (*result.values)[i] = 0;
  }
  return result;
}

// "i,j->ij" of two lists: angles of positions.
Folded outer_product(const OnnxNode& node, const Operands& in) {
  std::string equation = node.get<std::string>("equation", "");
  std::erase(equation, ' ');
  const bool outer = equation.size() == 7 && equation[0] != equation[2] && equation[0] == equation[5] &&
                     equation[2] == equation[6] && equation.substr(3, 2) == "->";
  if (!outer || in.size() != 2 || in[0]->dims.size() != 1 || in[1]->dims.size() != 1) return {};
  OnnxConstant column = *in[0];
  column.dims.push_back(1);
  return binary("Mul", binary_function("Mul"), column, *in[1]);
}

}  // namespace

bool keeps_values(const Shape& dims) {
  return element_count(dims) <= kLongestOnnxValues;
}

OnnxConstant filled(Shape dims, double value, bool integer) {
  OnnxConstant result{.dims = std::move(dims), .integer = integer};
  if (keeps_values(result.dims)) {
    result.values = Values(static_cast<std::size_t>(element_count(result.dims)), value);
  }
  return result;
}

std::optional<Shape> broadcast_dims(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

std::optional<OnnxConstant> transposed(const OnnxNode& node, const OnnxConstant& c) {
  std::vector<std::int64_t> order(c.dims.size());
  std::iota(order.rbegin(), order.rend(), 0);
  order = node.get<std::vector<std::int64_t>>("perm", order);
  if (order.size() != c.dims.size()) return {};
  const auto own = steps_of(c.dims);
  OnnxConstant result{.dims = c.dims, .integer = c.integer, .weight = c.weight};
  std::vector<std::int64_t> steps(order.size());
  std::vector<bool> used(order.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto axis = onnx_axis(order[i], c.dims.size());
    if (!axis || used[*axis]) return {};
    used[*axis] = true;
    result.dims[i] = c.dims[*axis];
    steps[i] = own[*axis];
  }
  if (!c.values || !c.weight.empty()) return result;
  Values values;
  for (const std::size_t place : places(result.dims, steps)) values.push_back((*c.values)[place]);
  result.values = std::move(values);
  return result;
}

std::optional<OnnxConstant> fold_values(const OnnxNode& node, const std::vector<const OnnxConstant*>& in) {
  if (in.empty() || std::ranges::count(in, nullptr) > 0) return {};
  for (const OnnxConstant* c : in) {
    if (c->values && static_cast<std::int64_t>(c->values->size()) != element_count(c->dims)) return {};
  }
  if (node.type == "Where") return where(in);
  if (node.type == "Concat") return concat(node, in);
  if (node.type == "Expand") return expand(in);
  if (node.type == "Trilu") return trilu(node, in);
  if (node.type == "Einsum") return outer_product(node, in);
  if (in.size() == 1) {
    const Function1 function = unary_function(node.type);
    return function == nullptr ? Folded{} : unary(function, *in[0]);
  }
  const Function2 function = in.size() == 2 ? binary_function(node.type) : nullptr;
  return function == nullptr ? Folded{} : binary(node.type, function, *in[0], *in[1]);
}

}  // namespace sextant::nets
