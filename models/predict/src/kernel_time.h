// Time of one kernel on a device, and its derivatives by the coefficients.
#pragma once

#include "sextant/predict/kernel_model.h"

namespace sextant::predict {

// What the host needs to issue a step, s.
struct HostTime {
  double step = 0;       // whatever is in it
  double calls = 0;      // of the program
  double gradients = 0;  // launches of the backward pass and the update

  [[nodiscard]] double total() const { return step + calls + gradients; }
};
HostTime host_time(const KernelList& list, const Device& device, const Coefficients& c);

class KernelTimer {
 public:
  KernelTimer(const Device& device, const Coefficients& c);

  [[nodiscard]] double seconds(const Kernel& kernel) const;  // of one launch
  // Adds value and derivatives of all launches.
  void add_gradient(const Kernel& kernel, Differentiable& sum) const;

 private:
  // Which coefficients a matrix kernel obeys, and the sizes that they saturate.
  struct MatrixTerms {
    std::size_t rate = 0;
    std::size_t fill = 0;
    std::size_t depth = 0;     // count: none
    std::size_t width = 0;     // count: none
    double work = 0;           // results a multiprocessor can compute side by side
    double work_by_split = 0;  // derivative of log work by the logarithm of `split`
    double deep = 0;
    double wide = 0;
  };
  struct Parts {
    double arithmetic = 0;
    double traffic = 0;
    std::size_t share = 0;
  };

  [[nodiscard]] bool emulated() const { return device_.half && !device_.matrix_units; }
  [[nodiscard]] bool on_matrix_units(KernelKind kind) const;
  [[nodiscard]] std::size_t half_share(KernelKind kind) const;
  [[nodiscard]] double conversion(KernelKind kind) const;
  [[nodiscard]] MatrixTerms matrix_terms(const Kernel& k) const;
  [[nodiscard]] MatrixTerms conv_terms(const Kernel& k, std::size_t direction, bool grouped) const;
  [[nodiscard]] MatrixTerms product_terms(const Kernel& k) const;
  [[nodiscard]] double arithmetic(const Kernel& k, const MatrixTerms& terms) const;
  [[nodiscard]] double traffic(const Kernel& k, std::size_t share) const;
  void add_matrix(const Kernel& k, Differentiable& sum) const;
  void add_moving(const Kernel& k, Differentiable& sum) const;

  Device device_;
  Coefficients value_;  // not logarithms
};

}  // namespace sextant::predict
