// The kernels that a step launches: a graph, lowered operator by operator and direction by direction.
// Matrix-like kernels keep the shape of their (implicit) matrix product, which decides how well they
// fill a device; the others are known by the bytes that they move. Rules: docs/models/kernel.md.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "sextant/jobs/job.h"
#include "sextant/nets/graph.h"

namespace sextant::predict {

enum class KernelKind {
  conv,                 // forward
  conv_input_grad,      //
  conv_filter_grad,     //
  grouped,              // convolution in several groups
  grouped_input_grad,   //
  grouped_filter_grad,  //
  depthwise,            // one channel in each group
  depthwise_input_grad,
  depthwise_filter_grad,
  gemm,          // linear layers, every direction
  batched_gemm,  // products of activations
  elementwise,
  batch_norm,
  batch_norm_grad,
  layer_norm,
  layer_norm_grad,
  softmax,
  softmax_grad,
  pool,
  pool_grad,
  reduction,   // bias gradients, means
  copy,        // concatenation, transposition, padding
  gather,      // embeddings
  update,      // the optimizer's pass over weights and gradients
  accumulate,  // gradients set to zero and added to, where a framework keeps them between steps
};
constexpr std::size_t kKernelKinds = 25;
std::string_view to_string(KernelKind kind);

// batch products of [m x k] by [k x n].
struct GemmShape {
  double batch = 1;
  double m = 0;
  double n = 0;
  double k = 0;
};

struct Kernel {
  KernelKind kind = KernelKind::elementwise;
  double flop = 0;
  double bytes = 0;
  double elements = 0;  // of the result: what the device can work on side by side
  GemmShape gemm = {};  // matrix-like kinds only
  double window = 1;    // height x width of a convolution's filter
  double stride = 1;    //
  double launches = 1;  // equal kernels, one after another
};

bool is_matrix_like(KernelKind kind);

// What a step runs on the device, with equal kernels merged, and what it copies to it.
struct KernelList {
  std::vector<Kernel> kernels;
  double calls = 0;        // operators that the program calls, views included
  double gradients = 0;    // launches of the backward pass and the update, which nobody calls one by one
  double input_bytes = 0;  // the batch, from host to device
};

KernelList lower(const nets::Graph& graph, const jobs::Job& job);

// The same kernels, by the operator that they belong to and the part of the step that they run in.
struct NodeKernels {
  std::vector<Kernel> forward;
  std::vector<Kernel> backward;  // the sums of gradients at forks belong to the operator that forks
  std::vector<Kernel> update;    // of its weights, gradients set to zero and added to included
};
std::vector<NodeKernels> lower_nodes(const nets::Graph& graph, const jobs::Job& job);  // one per node

}  // namespace sextant::predict
