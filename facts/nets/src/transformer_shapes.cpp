#include "transformer_shapes.h"

#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

[[noreturn]] void refuse_shape(const std::string& what) {
  throw InputError(what);
}

// Of [batch, place, features].
const Shape& checked_sequence(const Shape& shape, const char* op) {
  if (shape.size() != 3)
    refuse_shape(std::string(op) + " needs batch x place x features, not " + to_string(shape));
  return shape;
}

// Features of one of so many heads.
std::int64_t head_size(const Shape& x, std::int64_t heads, const char* op) {
  if (heads < 1 || checked_sequence(x, op)[2] % heads != 0) {
    refuse_shape(std::to_string(heads) + " heads do not share the features of " + to_string(x));
  }
  return x[2] / heads;
}

// What picks the keys: queries, keys and weights of a lighter attention.
void check_index(const Attention& op, const std::vector<Shape>& in) {
  if (in.size() < 6) refuse_shape("attention that picks its keys with too few inputs");
  const std::int64_t size = head_size(in[3], op.index_heads, "attention");
  const Shape keys = {in[1][0], in[1][1], size};
  const Shape weights = {in[0][0], in[0][1], op.index_heads};
  if (in[4] != keys || in[5] != weights) {
    refuse_shape("attention that picks its keys by " + to_string(in[4]) + " and " + to_string(in[5]));
  }
}

}  // namespace

Shape attention_shape(const Attention& op, const std::vector<Shape>& in) {
  const std::int64_t size = head_size(in.at(0), op.heads, "attention");
  if (op.kv_heads < 1 || op.heads % op.kv_heads != 0) {
    refuse_shape(std::to_string(op.kv_heads) + " heads of keys do not serve " + std::to_string(op.heads));
  }
  const bool fits = head_size(in.at(1), op.kv_heads, "attention") == size && in.at(1)[0] == in.at(0)[0] &&
                    in.at(2).size() == 3 && in.at(2)[0] == in.at(0)[0] && in.at(2)[1] == in.at(1)[1];
  if (!fits) {
    refuse_shape("attention of " + to_string(in.at(0)) + " to " + to_string(in.at(1)) + " and " +
                 to_string(in.at(2)));
  }
  const std::int64_t value = head_size(in.at(2), op.kv_heads, "attention");
  if (op.picks > 0) check_index(op, in);
  return {in.at(0)[0], in.at(0)[1], checked_product({op.heads, value})};
}

Shape rotary_shape(const Rotary& op, const std::vector<Shape>& in) {
  if (head_size(in.at(0), op.heads, "rotary") < op.turned)
    refuse_shape("rotary of more values than a head has");
  return in.at(0);
}

Shape experts_shape(const Experts& op, const std::vector<Shape>& in) {
  const Shape& x = checked_sequence(in.at(0), "experts");
  if (op.per_token < 1 || op.per_token > op.count || op.inner < 1)
    refuse_shape("experts that nobody can choose");
  if (in.at(1) != Shape{x[0], x[1], op.count}) {
    refuse_shape(std::to_string(op.count) + " experts need as many scores, not " + to_string(in.at(1)));
  }
  return x;
}

Shape delta_rule_shape(const DeltaRule& op, const std::vector<Shape>& in) {
  const std::int64_t key = head_size(in.at(0), op.key_heads, "delta rule");
  const Shape& values = checked_sequence(in.at(2), "delta rule");
  head_size(values, op.value_heads, "delta rule");
  const Shape steer = {values[0], values[1], op.value_heads};
  if (head_size(in.at(1), op.key_heads, "delta rule") != key || op.value_heads % op.key_heads != 0 ||
      in.at(3) != steer || (op.corrects && in.at(4) != steer)) {
    refuse_shape("delta rule of " + to_string(in.at(0)) + " and " + to_string(values));
  }
  return values;
}

}  // namespace sextant::nets
