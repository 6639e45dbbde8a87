// The fitted numbers of the kernel model, as logarithms, so that every one stays positive and a
// correction of a device is a sum. One table names them, says where the search starts and how far a
// stack, or a single device, may plausibly move each: docs/models/kernel.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/predict/kernel.h"

namespace sextant::predict {

// Of each direction of a dense convolution.
enum class ConvTerm { pointwise, winograd, other, fill, depth, winograd_depth, width };
constexpr std::size_t kConvTerms = 7;
constexpr std::size_t kConvDirections = 3;
constexpr std::size_t kMatrixKinds = 11;  // kinds up to batched_gemm
constexpr std::size_t kMemoryKinds = kKernelKinds - kMatrixKinds;

// Where each group of coefficients starts.
namespace coefficient {
enum Index : std::size_t {

  conv = 0,
  grouped = conv + kConvTerms * kConvDirections,  // rate, by direction
  split = grouped + kConvDirections,              // pixels of a filter gradient to a part
  gemm = split + 1,                               // rate, fill
  batched_gemm = gemm + 2,                        // rate, fill
  memory = batched_gemm + 2,                      // share of bandwidth, by kind
  depthwise = memory + kMemoryKinds,              // share of bandwidth: forward, input gradient
  depthwise_filter = depthwise + 2,               // cycles of a lane for a FLOP
  matrix_memory = depthwise_filter + 1,           // share of bandwidth of matrix kernels
  blend = matrix_memory + 1,                      // exponent that joins arithmetic and traffic
  memory_fill = blend + 1,                        // bytes per multiprocessor
  launch = memory_fill + 1,                       // s of each kernel on the device
  host_step = launch + 1,                         // s of each step on the host
  host_call = host_step + 1,                      // s of each operator called, on the host
  host_gradient = host_call + 1,                  // s of each launch of the backward pass, on the host
  host_infer = host_gradient + 1,                 // of a step without gradients, relative to one with them
  input_rate = host_infer + 1,                    // bytes/s from host to device
  half_rate = input_rate + 1,                     // on matrix units
  half_fill = half_rate + 1,                      //
  half_memory = half_fill + 1,                    // of kernels that move bytes
  half_matrix_memory = half_memory + 1,           // of matrix kernels: they change layouts
  half_host = half_matrix_memory + 1,             //
  half_emulated = half_host + 1,                  // matrix kernels, depthwise: fp16 only to store
  pressure = half_emulated + 1,  // how many times slower matrix kernels get without workspace
  amd_rate = pressure + 1,       // of matrix kernels on AMD's libraries
  count = amd_rate + 1,
};
}  // namespace coefficient

using Coefficients = std::array<double, coefficient::count>;  // natural logarithms

struct CoefficientInfo {
  std::string name;
  double start = 1;      // where nothing is known (not its logarithm)
  double stack_sd = 0;   // of the logarithm, between software stacks
  double device_sd = 0;  // of the logarithm, between devices of one stack
};
const std::vector<CoefficientInfo>& coefficient_table();
Coefficients start_coefficients();

}  // namespace sextant::predict
