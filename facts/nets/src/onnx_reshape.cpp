#include "onnx_reshape.h"

#include <algorithm>

namespace sextant::nets {
namespace {

// Extents [from, to) of the input against [out_from, out_to) of the output, of equal product.
struct Group {
  std::size_t from, to;
  std::size_t out_from, out_to;
};

std::int64_t product(const Shape& shape, std::size_t from, std::size_t to) {
  return element_count(Shape(shape.begin() + static_cast<std::ptrdiff_t>(from),
                             shape.begin() + static_cast<std::ptrdiff_t>(to)));
}

std::vector<Group> groups(const Shape& in, const Shape& out, std::size_t in_end, std::size_t out_end) {
  std::vector<Group> result;
  std::size_t i = 0;
  std::size_t o = 0;
  while (i < in_end && o < out_end) {
    Group group{i, i + 1, o, o + 1};
    std::int64_t a = in[i];
    std::int64_t b = out[o];
    while (a != b) {
      if (a < b && group.to < in_end) {
        a *= in[group.to++];
      } else if (b < a && group.out_to < out_end) {
        b *= out[group.out_to++];
      } else {
        return {};
      }
    }
    result.push_back(group);
    i = group.to;
    o = group.out_to;
  }
  if (result.empty()) return {};
  result.back().to = in_end;  // ones that are left over
  result.back().out_to = out_end;
  return result;
}

// The extent of a group's output that takes the growth.
std::size_t growing(const FixedReshape& r, const Group& g, bool batch_grows) {
  for (std::size_t o = g.out_from; o < g.out_to; ++o) {
    if (r.target[o] == -1) return o;
  }
  for (std::size_t o = g.out_from; batch_grows && o < g.out_to; ++o) {
    if (r.file_output[o] == r.file_batch) return o;
  }
  const bool features = g.out_from > 0 && g.out_from + 1 == r.file_output.size();
  return batch_grows && features ? 0 : g.out_from;
}

std::vector<Group> matched_groups(const Shape& in, const Shape& out) {
  const std::size_t spare = in.size() > 1 && out.size() > 1 && in.back() == out.back() ? 1 : 0;
  auto matched = groups(in, out, in.size() - spare, out.size() - spare);
  if (!matched.empty() && spare == 1)
    matched.push_back({in.size() - 1, in.size(), out.size() - 1, out.size()});
  return matched;
}

}  // namespace

std::optional<Shape> rebind_reshape(const FixedReshape& reshape, const Shape& input) {
  const Shape& in = reshape.file_input;
  const Shape& out = reshape.file_output;
  if (in.size() != input.size() || in.empty() || out.empty() || out.size() != reshape.target.size())
    return {};
  const auto matched = matched_groups(in, out);
  if (matched.empty()) return {};
  Shape result = out;
  for (const Group& g : matched) {
    const std::int64_t now = product(input, g.from, g.to);
    const std::int64_t before = product(in, g.from, g.to);
    if (now == before) continue;
    const bool batch_grows =
        checked_product({now, reshape.file_batch}) == checked_product({before, reshape.batch});
    std::int64_t& extent = result[growing(reshape, g, batch_grows)];
    const std::int64_t scaled = checked_product({extent, now});
    if (before == 0 || scaled % before != 0) return {};
    extent = scaled / before;
  }
  if (element_count(result) != element_count(input)) return {};
  return result;
}

}  // namespace sextant::nets
