#include "sextant/predict/coefficients.h"

#include <cmath>

namespace sextant::predict {
namespace {

using Table = std::vector<CoefficientInfo>;

// Rates are relative to the peak of direct arithmetic: above 1 where a kernel needs fewer operations
// (Winograd), so they are not capped.
void add_convolutions(Table& t) {
  constexpr std::array<std::string_view, kConvDirections> kDirections = {"conv", "conv-input-grad",
                                                                         "conv-filter-grad"};
  for (std::size_t d = 0; d < kConvDirections; ++d) {
    const std::string name(kDirections[d]);
    t.push_back({name + ".rate-1x1", 0.8, 0.3, 0.3});
    t.push_back({name + ".rate-3x3", 1.6, 0.3, 0.3});
    t.push_back({name + ".rate-other", 0.8, 0.3, 0.3});
    t.push_back({name + ".fill", d == 2 ? 300.0 : 2000.0, 1.0, 0.4});
    t.push_back({name + ".depth", 20, 0.7, 0.2});
    t.push_back({name + ".depth-3x3", 150, 0.7, 0.2});
    t.push_back({name + ".width", 20, 0.7, 0.2});
  }
  for (const auto direction : kDirections) t.push_back({"grouped-" + std::string(direction), 0.3, 0.5, 0.3});
  t.push_back({"split", 300, 1.0, 0.2});
}

void add_products(Table& t) {
  for (const std::string name : {"gemm", "batched-gemm"}) {
    t.push_back({name + ".rate", 0.8, 0.3, 0.3});
    t.push_back({name + ".fill", 1000, 1.0, 0.3});
  }
}

double start_share(KernelKind kind) {
  switch (kind) {
    case KernelKind::pool_grad:
      return 0.4;  // scattered writes
    case KernelKind::gather:
      return 0.5;
    case KernelKind::layer_norm_grad:
      return 0.7;
    default:
      return 0.9;
  }
}

void add_memory(Table& t) {
  for (std::size_t i = kMatrixKinds; i < kKernelKinds; ++i) {
    const auto kind = static_cast<KernelKind>(i);
    t.push_back({std::string(to_string(kind)) + ".share", start_share(kind), 0.2, 0.2});
  }
  t.push_back({"depthwise.share", 0.45, 0.3, 0.3});
  t.push_back({"depthwise-input-grad.share", 0.22, 0.3, 0.3});
  t.push_back({"depthwise-filter-grad.cycles", 300, 1.0, 0.5});
  t.push_back({"matrix.share", 0.8, 0.4, 0.2});
  t.push_back({"blend", 1, 0.4, 0.2});
  t.push_back({"memory.fill", 2000, 1.0, 0.2});
}

void add_host(Table& t) {
  t.push_back({"launch", 4e-6, 0.4, 0.3});
  t.push_back({"host.step", 1.5e-3, 0.7, 0.4});
  t.push_back({"host.call", 25e-6, 0.5, 0.3});
  t.push_back({"host.gradient", 15e-6, 0.5, 0.3});
  t.push_back({"host.infer", 0.8, 0.3, 0.2});
  t.push_back({"input", 3.3e9, 0.3, 0.3});
}

void add_half(Table& t) {
  t.push_back({"half.rate", 0.5, 0.5, 0.3});
  t.push_back({"half.fill", 3, 0.7, 0.2});
  t.push_back({"half.share", 0.95, 0.1, 0.1});
  t.push_back({"half.matrix-share", 0.6, 0.4, 0.2});
  t.push_back({"half.host", 1, 0.15, 0.1});
  t.push_back({"half.emulated", 0.7, 0.3, 0.2});
  t.push_back({"pressure", 1.5, 0.4, 0.2});
  t.push_back({"amd.rate", 0.7, 0.3, 0.1});
}

}  // namespace

const std::vector<CoefficientInfo>& coefficient_table() {
  static const Table table = [] {
    Table t;
    add_convolutions(t);
    add_products(t);
    add_memory(t);
    add_host(t);
    add_half(t);
    return t;
  }();
  return table;
}

Coefficients start_coefficients() {
  Coefficients c{};
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::log(coefficient_table().at(i).start);
  return c;
}

}  // namespace sextant::predict
