#include "sextant/predict/peak.h"

#include <algorithm>

namespace sextant::predict {

bool uses_matrix_units(const nets::Op& op) {
  return std::holds_alternative<nets::Conv>(op) || std::holds_alternative<nets::ConvTranspose>(op) ||
         std::holds_alternative<nets::Linear>(op) || std::holds_alternative<nets::MatMul>(op) ||
         std::holds_alternative<nets::Recurrent>(op) || std::holds_alternative<nets::Attention>(op) ||
         std::holds_alternative<nets::Experts>(op) || std::holds_alternative<nets::DeltaRule>(op);
}

FlopRate matrix_peak(const catalog::Gpu& gpu, Precision precision) {
  const FlopRate fp32 = gpu.matrix_fp32.value_or(gpu.fp32);
  // What a board does not have in hardware, frameworks compute in the next wider format.
  const FlopRate bf16 = std::max(fp32, gpu.tensor_bf16.value_or(fp32));
  switch (precision) {
    case Precision::fp32:
      return fp32;
    case Precision::tf32:
      return std::max(fp32, gpu.tf32.value_or(fp32));
    case Precision::fp16:
      return std::max(gpu.tensor_fp16.value_or(fp32), vector_peak(gpu, precision));
    case Precision::bf16:
    case Precision::bf16_pure:
      return bf16;
    case Precision::fp8:
    case Precision::fp8_block:
    case Precision::mxfp8:
      return std::max(bf16, gpu.tensor_fp8.value_or(bf16));
    case Precision::nvfp4:
      return std::max(matrix_peak(gpu, Precision::fp8), gpu.tensor_fp4.value_or(bf16));
  }
  return fp32;
}

FlopRate vector_peak(const catalog::Gpu& gpu, Precision precision) {
  if (precision != Precision::fp16) return gpu.fp32;  // bf16 is widened
  // Consumer Pascal multiplies fp16 at 1/64 of its fp32 rate; frameworks then compute in fp32.
  return std::max(gpu.fp32, gpu.fp16.value_or(gpu.fp32));
}

}  // namespace sextant::predict
