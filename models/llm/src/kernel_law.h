// A law of a kind of kernels: its parameters, and the time that they make of a call on a device.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/llm/kernels.h"

namespace sextant::llm {

// What a law knows of a device.
struct KernelDevice {
  std::string id;
  std::string architecture;  // with its kind of memory, since boards with GDDR have other kernels
  std::string family;
  double bf16 = 0, fp8 = 0, fp4 = 0;  // FLOP/s
  double bandwidth = 0;               // bytes/s
  double cache = 0;                   // bytes of the last level
  double processors = 0;
  double gigahertz = 0;
  double link = 0;        // bytes/s, one direction
  bool switched = false;  // GPUs of a node reach each other over NVLink
  bool peers = false;     // over NVLink or another link that is not the bus
  bool graphs = true;     // kernels are launched from recorded graphs; else one by one by the host
};
KernelDevice kernel_device(const catalog::Gpu& gpu);

// Numbers of a call; each law says which is which.
using KernelShape = std::array<double, 12>;

struct LawParameter {
  const char* name;
  double start, low, high;
  double spread = 0;   // of departures of architectures; 0: it has none
  double hold = 1;     // how much the shared value is held at its start
  bool plain = false;  // itself is fitted, not its logarithm
  bool lent = true;    // departures of a family say something of an architecture never timed
};

struct KernelLaw {
  std::string id;
  std::vector<LawParameter> parameters;
  double (*seconds)(std::span<const double> values, const KernelShape& shape, const KernelDevice& device);
  std::vector<double> (*features)(const KernelShape& shape, const KernelDevice& device);  // for the trees
  double hold_departures = 0.01;
};

const KernelLaw& gemm_law(GemmFormat format);
const KernelLaw& prefill_law();
const KernelLaw& decode_law();
const KernelLaw& experts_law(ExpertFormat format);
const KernelLaw& collective_law();
const KernelLaw& engine_law();  // all-reduces of an inference engine's own
std::vector<const KernelLaw*> kernel_laws();

// Where the call of a format is computed: weights of 8 or 4 bits on a device without such a rate are products
// in bf16.
GemmFormat computed_format(GemmFormat format, const KernelDevice& device);
ExpertFormat computed_format(ExpertFormat format, const KernelDevice& device);
KernelShape gemm_shape(const GemmCall& call);
KernelShape attention_shape(const AttentionCall& call);
void check(const ExpertsCall& call);  // InputError at the field for sizes that cannot be
KernelShape experts_shape(const ExpertsCall& call, const KernelDevice& device);
KernelShape collective_shape(const NodeCollective& call);

// Of recorded graphs it falls with the clock; the host takes longer, whatever the device.
double launch_seconds(double microseconds, double clock_power, const KernelDevice& device);
// Recorded kernels start one after the other; those that the host launches run while it prepares the next.
double after_launch(double launch, double work, const KernelDevice& device);
// Whole waves as far as `quantised` says, but at least one.
double waves(double blocks, double quantised, const KernelDevice& device);
// Two times of which the longer hides the shorter, the better the larger the power.
double overlapped(double one, double other, double power);

// Half of the 90 % interval, in the logarithm.
double kernel_width(const FittedLaw& fitted, const KernelDevice& device);
// All boards of NVIDIA are relatives; of other vendors those with HBM and those with GDDR are strangers.
std::string_view kernel_vendor(std::string_view family);

inline constexpr std::size_t kMostParameters = 16;
// Logarithm of the time of the law alone, with coefficients as they are fitted.
double law_log_seconds(const KernelLaw& law, std::span<const double> coefficients, const KernelShape& shape,
                       const KernelDevice& device);
// Logarithm of the time with the coefficients of the device's architecture, or of what is known of it.
double log_seconds(const KernelLaw& law, const FittedLaw& fitted, const KernelShape& shape,
                   const KernelDevice& device);

}  // namespace sextant::llm
