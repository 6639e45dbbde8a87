#include "sextant/predict/peak.h"

#include <algorithm>

namespace sextant::predict {

bool uses_matrix_units(const nets::Op& op) {
  return std::holds_alternative<nets::Conv>(op) || std::holds_alternative<nets::ConvTranspose>(op) ||
         std::holds_alternative<nets::Linear>(op) || std::holds_alternative<nets::MatMul>(op) ||
         std::holds_alternative<nets::Recurrent>(op);
}

FlopRate matrix_peak(const catalog::Gpu& gpu, Precision precision) {
  const FlopRate fp32 = gpu.matrix_fp32.value_or(gpu.fp32);
  switch (precision) {
    case Precision::fp32:
      return fp32;
    case Precision::tf32:
      return std::max(fp32, gpu.tf32.value_or(fp32));
    case Precision::fp16:
      return std::max(gpu.tensor_fp16.value_or(fp32), vector_peak(gpu, precision));
  }
  return fp32;
}

FlopRate vector_peak(const catalog::Gpu& gpu, Precision precision) {
  if (precision != Precision::fp16) return gpu.fp32;
  // Consumer Pascal multiplies fp16 at 1/64 of its fp32 rate; frameworks then compute in fp32.
  return std::max(gpu.fp32, gpu.fp16.value_or(gpu.fp32));
}

}  // namespace sextant::predict
