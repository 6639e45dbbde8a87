// Wave scaling (Habitat: Yu, Gao, Golikov, Pekhimenko, ATC 2021): other GPUs from one that the user has
// measured. The kernel model splits the measured step; kernels that libraries choose anew for every GPU
// are scaled by the model, the others by waves, and the host's part stays. Page:
// docs/models/wave-scaling.md.
#include "wave_scaling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sextant/predict/peak.h"
#include "sextant/predict/stack.h"
#include "timing_doubts.h"

namespace sextant::predict::predictor_wave_scaling {
namespace {

constexpr double kHalfWidth = 0.5;    // of log time: held about 90 % of the pairs in the page
constexpr double kExtrapolating = 2;  // the interval is so much wider away from what was measured

bool same_kind(const jobs::Job& a, const jobs::Job& b) {
  return a.net == b.net && a.mode == b.mode && a.precision == b.precision && a.optimizer == b.optimizer &&
         a.stack == b.stack;
}

// A step on a device, as the kernel model sees it with what all devices share.
struct ModelledStep {
  KernelList kernels;
  Device device;
  StepTime time;
  // What the device does not hide; the same wherever the step runs.
  [[nodiscard]] double overhead() const { return time.total - time.device; }
};

ModelledStep modelled(const Query& q, const Stack& stack) {
  ModelledStep step{.kernels = lower_for(q.graph, q.job, stack.traits),
                    .device = effective_device(q.gpu, q.job.precision),
                    .time = {}};
  step.device.pressure = memory_pressure(memory_need(q.graph, q.cost, q.job).total() / q.gpu.memory);
  step.time = step_time(step.kernels, step.device, stack.shared.coefficients);
  return step;
}

// FLOP per byte, over all kernels of the kind.
double intensity_of(const KernelList& list, KernelKind kind) {
  double flop = 0;
  double bytes = 0;
  for (const Kernel& k : list.kernels) {
    if (k.kind != kind) continue;
    flop += k.flop * k.launches;
    bytes += k.bytes * k.launches;
  }
  return bytes > 0 ? flop / bytes : 0;
}

struct WaveEnds {
  WaveDevice origin;
  WaveDevice destination;
  double ridge = 0;  // of the destination, FLOP per byte
};

// Device time on the destination. Matrix-like kernels differ between GPUs: the model's word. The others
// run the same code: the origin's time, scaled by waves.
double scaled_device_time(const ModelledStep& from, const ModelledStep& to, const WaveEnds& ends) {
  double sum = 0;
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    const auto kind = static_cast<KernelKind>(i);
    if (from.time.by_kind[i] == 0) continue;
    const double gamma = memory_share(intensity_of(from.kernels, kind), ends.ridge);
    sum += is_matrix_like(kind)
               ? to.time.by_kind[i]
               : from.time.by_kind[i] * many_wave_ratio(ends.origin, ends.destination, gamma);
  }
  return sum;
}

// Bandwidths as streaming kernels see them: Habitat, too, takes measured ones.
WaveEnds wave_ends(const Query& from, const Query& to) {
  WaveEnds ends{.origin = wave_device(from.gpu), .destination = wave_device(to.gpu), .ridge = 0};
  align(ends.origin, ends.destination);
  ends.origin.bandwidth = effective_device(from.gpu, from.job.precision).bandwidth;
  ends.destination.bandwidth = effective_device(to.gpu, to.job.precision).bandwidth;
  ends.ridge = vector_peak(to.gpu, to.job.precision).value / ends.destination.bandwidth;
  return ends;
}

struct MeasuredStep {
  jobs::Job job;
  Seconds step;
  double modelled = 0;  // s, on the origin
};

class WaveScaling final : public Predictor {
 public:
  explicit WaveScaling(const Setup& setup)
      : origin_(setup.catalog != nullptr
                    ? setup.catalog->gpus.get(setup.from, at_field("from"))
                    : catalog::builtin_catalog().gpus.get(setup.from, at_field("from"))) {
    if (!setup.model.empty()) given_ = stack_from_json(setup.model, setup.model_file);
    for (const auto& m : setup.catalog != nullptr ? credible(setup, *setup.catalog)
                                                  : credible(setup, catalog::builtin_catalog())) {
      const nets::Network network = nets::find_network(m.job.net);
      const nets::Graph graph = build(network, m.job.sizes);
      const nets::GraphCost counted = cost(graph, m.job.precision);
      const ModelledStep here = modelled({m.job, graph, counted, origin_}, stack_of(m.job));
      measured_.push_back({m.job, m.step, here.time.total});
      measured_.back().job.net = network.id;
    }
    if (measured_.empty()) {
      throw InputError(at_field("measured"),
                       "nothing was measured on '" + origin_.id + "', which `from` names");
    }
  }

  [[nodiscard]] Prediction predict(const Query& q) const override {
    const Stack& stack = stack_of(q.job);
    const Query on_origin{q.job, q.graph, q.cost, origin_};
    const ModelledStep here = modelled(on_origin, stack);
    const MeasuredStep& nearest = nearest_to(q.job, here.time.total);
    // The same network with the same modelled time has the same sizes.
    const bool measured = same_kind(nearest.job, q.job) && nearest.modelled == here.time.total;
    // Measured over modelled, here and, so the method goes, there.
    const Seconds level = (1 / nearest.modelled) * nearest.step;
    const double device = scaled_device_time(here, modelled(q, stack), wave_ends(on_origin, q));
    // No device is so fast that the host need not issue its work.
    const double total = std::max(device + here.overhead(), here.time.host + here.time.input);
    Prediction p;
    p.breakdown.compute = device * level;
    p.breakdown.input = here.time.input * level;
    p.breakdown.overhead = (total - device - here.time.input) * level;
    p.iteration = p.breakdown.total();
    const double half = kHalfWidth * (measured ? 1 : kExtrapolating);
    p.interval = {.low = std::exp(-half) * p.iteration, .high = std::exp(half) * p.iteration};
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = fits_memory(p.memory, q.gpu);
    p.extrapolating = !measured;
    p.model = "wave-scaling/" + stack.id;
    p.warnings = warnings(q.graph);
    if (!fully_counted(q)) p.interval = from_below(p.iteration);
    return p;
  }

 private:
  // Those of the origin that it can have taken.
  [[nodiscard]] std::vector<Measurement> credible(const Setup& setup, const catalog::Catalog& catalog) const {
    std::map<std::string, std::vector<Measurement>> by_stack;
    for (const auto& m : setup.measured) {
      if (m.gpu == origin_.id) by_stack[stack_of(m.job).id].push_back(m);
    }
    std::vector<Measurement> kept;
    std::vector<std::string> doubts;
    for (const auto& [id, timed] : by_stack) {
      const Stack& stack = stack_of(timed.front().job);
      std::ranges::move(credible_timings(timed, catalog, stack, doubts), std::back_inserter(kept));
    }
    if (kept.empty() && !doubts.empty()) throw InputError(at_field("measured"), doubts.front());
    if (setup.notes != nullptr) std::ranges::move(doubts, std::back_inserter(*setup.notes));
    return kept;
  }

  [[nodiscard]] const Stack& stack_of(const jobs::Job& job) const {
    return given_ ? *given_ : find_stack(job.stack, at_field("stack"));
  }

  // Of the same kind if there is one, then by how much work it is.
  [[nodiscard]] const MeasuredStep& nearest_to(const jobs::Job& job, double seconds) const {
    return *std::ranges::min_element(measured_, {}, [&](const MeasuredStep& m) {
      return std::pair(!same_kind(m.job, job), std::abs(std::log(m.modelled / seconds)));
    });
  }

  catalog::Gpu origin_;
  std::optional<Stack> given_;
  std::vector<MeasuredStep> measured_;
};

std::unique_ptr<Predictor> make(const Setup& setup) {
  if (setup.measured.empty()) {
    throw InputError(at_field("measured"), "wave scaling needs steps that were timed on one GPU",
                     "'`from` GPU `measured` FILE.csv', with the columns of `cases` and measured_s");
  }
  if (setup.from.empty()) {
    throw InputError(at_field("from"), "the GPU that the steps of `measured` were timed on is missing");
  }
  return std::make_unique<WaveScaling>(setup);
}

}  // namespace

std::vector<PredictorInfo> plugin() {
  return {{{.id = "wave-scaling",
            .summary = "other GPUs from one that was measured (`from`, `measured`)",
            .reference = "Yu, Gao, Golikov, Pekhimenko: Habitat, USENIX ATC 2021"},
           {},
           make,
           PredictorNeed::measured_steps}};
}

}  // namespace sextant::predict::predictor_wave_scaling
