// Output shapes of the operators that transformers alone have.
#pragma once

#include <vector>

#include "sextant/nets/op.h"

namespace sextant::nets {

Shape attention_shape(const Attention& op, const std::vector<Shape>& in);
Shape rotary_shape(const Rotary& op, const std::vector<Shape>& in);
Shape experts_shape(const Experts& op, const std::vector<Shape>& in);
Shape delta_rule_shape(const DeltaRule& op, const std::vector<Shape>& in);

}  // namespace sextant::nets
