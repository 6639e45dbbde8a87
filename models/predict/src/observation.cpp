#include "sextant/predict/observation.h"

#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "sextant/predict/memory.h"

namespace sextant::predict {
namespace {

// Pixels of a side, or tokens: the third extent of images (batch, channels, height, width), the second of
// sequences.
double input_extent(const nets::Graph& graph) {
  const nets::Shape& shape = graph.nodes.front().output;
  if (shape.size() < 2) return 1;
  return static_cast<double>(shape[shape.size() > 2 ? 2 : 1]);
}

// Tensor cores multiply both formats of 16 bits at one rate: what was learned of fp16 holds for bf16.
std::string precision_label(Precision precision) {
  const bool bf16 = precision == Precision::bf16 || precision == Precision::bf16_pure;
  return to_string(bf16 ? Precision::fp16 : precision);
}

auto job_key(const jobs::Job& job) {
  return std::tuple(job.net, job.sizes.batch, job.sizes.image, job.sizes.seq, job.sizes.classes, job.mode,
                    job.precision, job.optimizer);
}

}  // namespace

std::string family_of(const std::string& net) {
  std::string family;
  for (const char ch : net.substr(net.rfind('/') + 1)) {
    if (std::isalpha(static_cast<unsigned char>(ch)) == 0) break;
    family += ch;
  }
  return family;
}

CaseLabels labels_of(const jobs::Job& job, const nets::Graph& graph, const catalog::Gpu& gpu) {
  // Networks of files are strangers to every stack, whatever the files are called.
  const nets::Network* known = nets::zoo().find(job.net);
  return {.gpu = gpu.id,
          .vendor = gpu.vendor,
          .net = known != nullptr ? known->id : job.net,
          .family = known != nullptr ? family_of(known->id) : "",
          .precision = precision_label(job.precision),
          .mode = to_string(job.mode),
          .size = (std::log2(std::max(input_extent(graph), 1.0)) - 7) / 1.5,
          .batch = (std::log2(static_cast<double>(job.sizes.batch)) - 5) / 2,
          .samples = static_cast<double>(job.sizes.batch)};
}

KernelList lower_for(const nets::Graph& graph, const jobs::Job& job, const StackTraits& traits) {
  KernelList list = lower(graph, job);
  if (traits.prefetches_input) list.input_bytes = 0;
  if (traits.accumulates_gradients) return list;
  std::erase_if(list.kernels, [&](const Kernel& k) {
    if (k.kind != KernelKind::accumulate) return false;
    list.gradients -= k.launches;
    return true;
  });
  return list;
}

Precision run_precision(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits) {
  const bool tf32 = traits.tf32_by_default && precision == Precision::fp32 && gpu.tf32.has_value();
  return tf32 ? Precision::tf32 : precision;
}

Precision conv_precision(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits) {
  const bool tf32 = traits.tf32_convolutions && precision == Precision::fp32 && gpu.tf32.has_value();
  return tf32 ? Precision::tf32 : run_precision(gpu, precision, traits);
}

Device device_for(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits) {
  return effective_device(gpu, run_precision(gpu, precision, traits), conv_precision(gpu, precision, traits));
}

std::vector<Observation> observe(std::span<const Measurement> measured, const catalog::Catalog& catalog,
                                 const StackTraits& traits) {
  using Key = decltype(job_key(std::declval<jobs::Job>()));
  struct Lowered {
    std::shared_ptr<const KernelList> kernels;
    Bytes memory;
    CaseLabels labels;  // of any device
  };
  std::map<Key, Lowered> known;
  std::map<std::string, nets::Network> networks;
  std::vector<Observation> rows;
  rows.reserve(measured.size());
  for (const Measurement& m : measured) {
    const catalog::Gpu& gpu = catalog.gpus.get(m.gpu);
    Lowered& lowered = known[job_key(m.job)];
    if (!lowered.kernels) {
      auto network = networks.find(m.job.net);
      if (network == networks.end())
        network = networks.emplace(m.job.net, nets::find_network(m.job.net)).first;
      const nets::Graph graph = build(network->second, m.job.sizes);
      lowered.kernels = std::make_shared<const KernelList>(lower_for(graph, m.job, traits));
      lowered.memory = memory_need(graph, cost(graph, m.job.precision), m.job).total();
      lowered.labels = labels_of(m.job, graph, gpu);
    }
    Device device = device_for(gpu, m.job.precision, traits);
    device.pressure = memory_pressure(lowered.memory / gpu.memory);
    CaseLabels labels = lowered.labels;
    labels.gpu = gpu.id;
    labels.vendor = gpu.vendor;
    rows.push_back({.kernels = lowered.kernels,
                    .device = device,
                    .seconds = m.step.value,
                    .labels = std::move(labels),
                    .software = {},
                    .instance = gpu.id});
  }
  return rows;
}

}  // namespace sextant::predict
