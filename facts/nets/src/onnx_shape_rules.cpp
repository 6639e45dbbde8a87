// Operators that move, select or repeat elements: reshape, transpose, slice, split, concat, gather, expand.
#include <algorithm>
#include <numeric>

#include "onnx_fold.h"
#include "onnx_reshape.h"
#include "onnx_translate.h"
#include "onnx_values.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

using Ints = std::vector<std::int64_t>;

bool same_tensor(OnnxStep& s) {
  if (!s.is_tensor(0)) return false;
  s.result(s.tensor(0));
  return true;
}

// A target that is the same at the file's sizes was written down by the exporter, not computed.
std::optional<Shape> fixed_target(const OnnxStep& s, const Ints& target, bool zero_is_zero) {
  const Shape* own = s.reference_shape(0);
  const OnnxConstant* constant = s.reference_constant(1);
  if (own == nullptr || *own == s.shape(0)) return {};
  if (constant != nullptr && integers(*constant) != target) return {};
  const auto output = reshaped(*own, target, zero_is_zero);
  if (!output) return {};
  return rebind_reshape({*own, *output, target, s.file_batch(), s.batch()}, s.shape(0));
}

bool reshape(OnnxStep& s) {
  const auto target = list_argument(s.node, "shape", s.constant(1));
  if (!target) return false;
  const Shape x = s.shape(0);
  const bool zero_is_zero = s.node.get<std::int64_t>("allowzero", 0) != 0;
  auto shape = fixed_target(s, *target, zero_is_zero);
  if (!shape) shape = reshaped(x, *target, zero_is_zero);
  if (!shape) {
    throw InputError(
        {}, "cannot arrange " + to_string(x) + " as " + to_string(Shape(target->begin(), target->end())),
        "the file may fix its batch or image size; export it with open dimensions");
  }
  s.result(s.view(s.tensor(0), *shape));
  return true;
}

bool squeeze(OnnxStep& s) {
  const auto shape = squeezed(s.shape(0), list_argument(s.node, "axes", s.constant(1)));
  if (!shape || s.is_tensor(1)) return false;
  s.result(s.view(s.tensor(0), *shape));
  return true;
}

bool unsqueeze(OnnxStep& s) {
  const auto axes = list_argument(s.node, "axes", s.constant(1));
  const auto shape = axes ? unsqueezed(s.shape(0), *axes) : std::nullopt;
  if (!shape) return false;
  s.result(s.view(s.tensor(0), *shape));
  return true;
}

bool flatten(OnnxStep& s) {
  const Shape x = s.shape(0);
  const std::int64_t axis = s.node.get<std::int64_t>("axis", 1);
  const auto rank = static_cast<std::int64_t>(x.size());
  if (axis < -rank || axis > rank) return false;
  const auto split = x.begin() + (axis < 0 ? axis + rank : axis);
  const Shape shape = {element_count(Shape(x.begin(), split)), element_count(Shape(split, x.end()))};
  const bool plain = !x.empty() && shape[0] == x[0];
  s.result(plain ? s.emit(Flatten{}, {s.tensor(0)}) : s.emit(Reshape{shape}, {s.tensor(0)}));
  return true;
}

// Two transpositions in a row are one, or none.
Tensor turned(OnnxStep& s, Tensor x, std::vector<int> order) {
  if (const auto* before = std::get_if<Transpose>(&s.node_of(x).op)) {
    for (int& axis : order) axis = before->order[static_cast<std::size_t>(axis)];
    x = {s.node_of(x).inputs.front()};
  }
  return std::ranges::is_sorted(order) ? x : s.emit(Transpose{order}, {x});
}

bool transpose(OnnxStep& s) {
  const Shape x = s.shape(0);
  Ints order(x.size());
  std::iota(order.rbegin(), order.rend(), 0);
  order = s.node.get<Ints>("perm", order);
  if (order.size() != x.size()) throw InputError("transposes " + to_string(x) + " by another number of axes");
  Transpose op;
  for (const auto entry : order) {
    const auto axis = onnx_axis(entry, x.size());
    if (!axis) throw InputError("transposes an axis that " + to_string(x) + " does not have");
    op.order.push_back(static_cast<int>(*axis));
  }
  s.result(turned(s, s.tensor(0), op.order));
  return true;
}

// Entries of one axis; backwards they are looked up one by one, as no view can run that way.
Tensor part(OnnxStep& s, Tensor x, const SliceRange& r) {
  const auto axis = static_cast<int>(r.axis);
  if (r.step > 0) {
    const bool whole = r.step == 1 && r.begin == 0 && r.end == s.shape_of(x)[r.axis];
    return whole ? x : s.emit(Slice{axis, r.begin, r.end, r.step}, {x});
  }
  Constant places{{r.count()}, true, {}};
  if (r.count() <= kLongestOnnxValues) {
    for (std::int64_t i = 0; i < r.count(); ++i)
      places.values.push_back(static_cast<double>(r.begin + i * r.step));
  }
  return s.emit(Gather{axis}, {x, s.emit(places, {})});
}

bool slice(OnnxStep& s) {
  const Shape x = s.shape(0);
  for (std::size_t i = 1; i < s.node.inputs.size(); ++i) {
    if (s.is_tensor(i)) return false;
  }
  const auto ranges = slice_ranges(s.node, x, s.constants_from(1));
  if (!ranges) return false;
  if (std::ranges::any_of(*ranges, [](const SliceRange& r) { return r.count() < 1; })) return false;
  Tensor y = s.tensor(0);
  for (const auto& r : *ranges) y = part(s, y, r);
  s.result(y);
  return true;
}

// Lengths of the parts: stated, or as equal as can be.
std::optional<Ints> split_lengths(const OnnxStep& s, std::int64_t extent) {
  if (s.is_tensor(1)) return {};
  if (const auto stated = list_argument(s.node, "split", s.constant(1))) return stated;
  const auto parts = static_cast<std::int64_t>(s.node.outputs.size());
  const std::int64_t length = (extent + parts - 1) / parts;
  Ints lengths(s.node.outputs.size(), length);
  lengths.back() = extent - length * (parts - 1);
  return lengths;
}

bool split(OnnxStep& s) {
  const Shape x = s.shape(0);
  const auto axis = onnx_axis(s.node.get<std::int64_t>("axis", 0), x.size());
  if (!axis || s.node.outputs.empty()) return false;
  const auto lengths = split_lengths(s, x[*axis]);
  if (!lengths || lengths->size() != s.node.outputs.size()) return false;
  if (std::ranges::any_of(*lengths, [](auto length) { return length < 1; })) return false;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < lengths->size(); ++i) {
    const std::int64_t end = begin + (*lengths)[i];
    if (s.used(i)) s.result(s.emit(Slice{static_cast<int>(*axis), begin, end}, {s.tensor(0)}), i);
    begin = end;
  }
  return true;
}

// A part that had the file's batch by being repeated (a class token expanded to a batch of 1) has to
// be repeated for the bound one.
Tensor with_batch(OnnxStep& s, Tensor part, const Shape& like) {
  Shape shape = s.shape_of(part);
  if (shape.size() != like.size() || shape.size() < 2 || shape[0] != 1 || like[0] == 1) return part;
  shape[0] = like[0];
  return s.emit(Expand{shape}, {part});
}

bool concat(OnnxStep& s) {
  if (s.node.inputs.empty()) return false;
  const auto axis = onnx_axis(s.node.get<std::int64_t>("axis", 1), s.shape(0).size());
  if (!axis) return false;
  Shape largest = s.shape(0);
  std::int64_t total = 0;
  std::vector<Tensor> parts;
  for (std::size_t i = 0; i < s.node.inputs.size(); ++i) {
    const Shape part = s.shape(i);
    if (part.size() != largest.size())
      throw InputError("concatenates " + to_string(largest) + " and " + to_string(part));
    if (part[0] > largest[0]) largest = part;
    total += part[*axis];
    if (total > kLargestOnnxTensor) throw InputError("concatenates to " + std::to_string(total) + " entries");
    parts.push_back(s.tensor(i));
  }
  if (*axis != 0 && s.reference_shape(0) != nullptr) {
    for (Tensor& part : parts) part = with_batch(s, part, largest);
  }
  s.result(s.emit(Concat{static_cast<int>(*axis)}, parts));
  return true;
}

// Places that follow each other, counted from the front.
std::optional<Ints> neighbours(const OnnxConstant& index, std::int64_t extent) {
  auto entries = integers(index);
  if (!entries || entries->empty()) return {};
  for (auto& entry : *entries) entry += entry < 0 ? extent : 0;
  for (std::size_t i = 1; i < entries->size(); ++i) {
    if ((*entries)[i] != (*entries)[i - 1] + 1) return {};
  }
  return entries;
}

// One entry of an axis, which disappears; or a run of neighbours.
bool select(OnnxStep& s, std::size_t axis, const OnnxConstant& index) {
  const auto entries = neighbours(index, s.shape(0)[axis]);
  if (!entries || index.dims.size() > 1) return false;
  const auto at = static_cast<int>(axis);
  Tensor y = s.emit(Slice{at, entries->front(), entries->back() + 1}, {s.tensor(0)});
  if (index.dims.empty()) {
    Shape rest = s.shape_of(y);
    rest.erase(rest.begin() + at);
    y = s.view(y, rest);
  }
  s.result(y);
  return true;
}

// Rows of a table at fixed places: learned positions. Places that the file does not show are taken for the
// first.
bool table_rows(OnnxStep& s, const OnnxConstant& table, const OnnxConstant& index) {
  const std::int64_t rows = element_count(index.dims);
  if (table.weight.empty() || rows < 1 || rows > table.dims[0]) return false;
  const auto entries = neighbours(index, table.dims[0]);
  if (index.values && !entries) return false;
  const std::int64_t first = entries ? entries->front() : 0;
  Tensor y = s.tensor(0);
  if (rows < table.dims[0]) y = s.emit(Slice{0, first, first + rows}, {y});
  Shape shape = index.dims;
  shape.push_back(table.dims[1]);
  s.result(s.view(y, shape));
  return true;
}

// A sequence longer than the table of positions ends here.
void check_entries(const OnnxConstant& index, std::int64_t extent) {
  const auto entries = integers(index);
  if (!entries || entries->empty()) return;
  if (std::ranges::max(*entries) >= extent || std::ranges::min(*entries) < -extent) {
    throw InputError("looks up entry " + std::to_string(std::ranges::max(*entries)) + " of a table of " +
                     std::to_string(extent));
  }
}

bool gather(OnnxStep& s) {
  const auto axis = onnx_axis(s.node.get<std::int64_t>("axis", 0), s.shape(0).size());
  if (!axis || !s.given(1)) return false;
  if (s.constant(1) != nullptr) check_entries(*s.constant(1), s.shape(0)[*axis]);
  const OnnxConstant* table = s.constant(0);
  const OnnxConstant* index = s.constant(1);
  const bool rows = table != nullptr && table->dims.size() == 2 && *axis == 0;
  if (index != nullptr && rows && table_rows(s, *table, *index)) return true;
  if (index != nullptr && table == nullptr && select(s, *axis, *index)) return true;
  if (index == nullptr && rows && !table->weight.empty()) {
    const Tensor y = s.emit(Embedding{table->dims[0], table->dims[1]}, {s.tensor(1)});
    s.owns_weight(y, *table);
    s.result(y);
    return true;
  }
  s.result(s.emit(Gather{static_cast<int>(*axis)}, {s.tensor(0), s.tensor(1)}));
  return true;
}

bool expand(OnnxStep& s) {
  const auto target = list_argument(s.node, "shape", s.constant(1));
  if (!s.given(0) || !target || s.is_tensor(1)) return false;
  if (std::ranges::any_of(*target, [](auto extent) { return extent < 1; })) return false;
  const auto shape = broadcast_dims(s.shape(0), *target);
  if (!shape) throw InputError("cannot spread " + to_string(s.shape(0)) + " over " + to_string(*target));
  s.result(*shape == s.shape(0) ? s.tensor(0) : s.emit(Expand{*shape}, {s.tensor(0)}));
  return true;
}

// Each axis so many times: an axis of repetitions before each, and both in one view.
bool tile(OnnxStep& s) {
  const Shape x = s.shape(0);
  const auto repeats = list_argument(s.node, "repeats", s.constant(1));
  if (!s.is_tensor(0) || !repeats || s.is_tensor(1) || repeats->size() != x.size()) return false;
  if (std::ranges::any_of(*repeats, [](auto times) { return times < 1; })) return false;
  Shape apart;
  Shape repeated;
  Shape together;
  for (std::size_t i = 0; i < x.size(); ++i) {
    apart.insert(apart.end(), {1, x[i]});
    repeated.insert(repeated.end(), {(*repeats)[i], x[i]});
    together.push_back(checked_product({(*repeats)[i], x[i]}));
  }
  Tensor y = s.tensor(0);
  if (together != x) y = s.view(s.emit(Expand{repeated}, {s.view(y, apart)}), together);
  s.result(y);
  return true;
}

// The triangle of a matrix that was computed: times ones and zeros.
bool triangle(OnnxStep& s) {
  const Shape x = s.shape(0);
  if (!s.is_tensor(0) || x.size() < 2) return false;
  const Tensor mask = s.emit(Constant{{x[x.size() - 2], x.back()}}, {});
  s.result(s.emit(Binary{Arithmetic::multiply}, {s.tensor(0), mask}));
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_shape_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"Identity", same_tensor},
      {"Cast", same_tensor},
      {"Reshape", reshape},
      {"Squeeze", squeeze},
      {"Unsqueeze", unsqueeze},
      {"Flatten", flatten},
      {"Transpose", transpose},
      {"Slice", slice},
      {"Split", split},
      {"Concat", concat},
      {"Gather", gather},
      {"Expand", expand},
      {"Tile", tile},
      {"Trilu", triangle},
      {"CastLike", same_tensor},
  };
  return rules;
}

}  // namespace sextant::nets
