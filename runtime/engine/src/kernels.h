// Operators of a graph as calls of libtorch. Whatever does not depend on values (paddings, extents, which
// weights, whether memory can be reused) is decided once, so that a step costs the call and nothing else.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>  // before what has vectors of it: Clang wants it complete

#include <functional>
#include <vector>

#include "sextant/nets/graph.h"

namespace sextant::engine {

struct OpWeights {
  at::Tensor weight = {};
  at::Tensor bias = {};
  at::Tensor running_mean = {};
  at::Tensor running_var = {};
  std::vector<at::Tensor> all =
      {};  // trainable ones in the order of weight_tensors(): a recurrent layer has many
};

struct Pass {
  bool training = true;
  at::Generator generator;  // of dropout's masks
};

using NodeValues = std::vector<at::Tensor>;  // by node; undefined once nobody reads them any more
using Kernel = std::function<at::Tensor(const NodeValues&, const Pass&)>;

struct KernelRequest {
  const nets::Graph& graph;
  const nets::Node& node;
  OpWeights weights;
  int overwrites = -1;  // which of the inputs may be overwritten with the result; -1: none
};

// None for Input, whose value is given. Opaque is a logic_error here: make_replica refuses it before.
Kernel make_kernel(const KernelRequest& request);

// Element by element, with a tensor or with a number on the right.
at::Tensor combine(nets::Arithmetic kind, const at::Tensor& a, const at::Tensor& b);
at::Tensor combine(nets::Arithmetic kind, const at::Tensor& a, double b);

// The activation, in the memory of its argument where the gradient follows from the result.
at::Tensor activate(nets::Function function, const at::Tensor& x);
at::Tensor activate_in_place(nets::Function function, const at::Tensor& x);
bool gradient_from_result(nets::Function function);

}  // namespace sextant::engine
