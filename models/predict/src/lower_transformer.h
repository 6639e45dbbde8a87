// Kernels of the operators that transformers alone have. Attention is one kernel that keeps its scores to
// itself: here its two products (five in backward, which makes the scores again) without the traffic of
// scores.
#pragma once

#include "lower_op.h"

namespace sextant::predict {

using Kernels = std::vector<Kernel>;

void attention_kernels(const LoweringContext& c, const nets::Node& node, const nets::Attention& op,
                       Kernels& out);
void attention_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::Attention& op,
                            Kernels& out);
void experts_kernels(const LoweringContext& c, const nets::Node& node, const nets::Experts& op, Kernels& out);
void experts_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::Experts& op,
                          Kernels& out);
void delta_rule_kernels(const LoweringContext& c, const nets::Node& node, const nets::DeltaRule& op,
                        Kernels& out);
void delta_rule_grad_kernels(const LoweringContext& c, const nets::Node& node, const nets::DeltaRule& op,
                             Kernels& out);

}  // namespace sextant::predict
