// Operators that transformers alone have, as calls of libtorch 1.13, which has no fused kernels for them:
// their values are those of the fused ones, their times are not.
#pragma once

#include "kernels.h"

namespace sextant::engine {

Kernel attention_kernel(const KernelRequest& request, const nets::Attention& op);
Kernel rotary_kernel(const KernelRequest& request, const nets::Rotary& op);
Kernel experts_kernel(const KernelRequest& request, const nets::Experts& op);
Kernel delta_rule_kernel(const KernelRequest& request, const nets::DeltaRule& op);

}  // namespace sextant::engine
