// Wave scaling (Habitat: Yu, Gao, Golikov, Pekhimenko, ATC 2021): other GPUs from one that the user has
// measured. The measured step is split over the operators as their rooflines are, each part is scaled to
// the other GPU, and the host's part stays. Page: docs/models/wave-scaling.md.
#include "wave_scaling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "op_roofline.h"
#include "sextant/predict/peak.h"

namespace sextant {
namespace {

constexpr Seconds kLaunch{5e-6};      // host time of a kernel; 5 to 10 us are commonly seen
constexpr double kHalfWidth = 0.25;   // of the interval; Habitat's mean error is 12 %
constexpr double kExtrapolating = 2;  // the interval is so much wider away from what was measured

bool same_kind(const TrainingJob& a, const TrainingJob& b) {
  return a.network == b.network && a.mode == b.mode && a.precision == b.precision &&
         a.optimizer == b.optimizer && a.stack == b.stack;
}

// Shares of the step are taken of it, so it must not be 0: a network of views alone.
Seconds positive_roofline(const Query& q) {
  const Seconds roofline = step_roofline(q);
  if (roofline > Seconds{}) return roofline;
  throw InputError({}, "network '" + q.job.network + "' does nothing that could be scaled");
}

// Kernels that the host launches, at its price for each.
Seconds launches(const Query& q) {
  double kernels = 0;
  for (const auto& op : q.cost.ops) {
    kernels += op.forward_bytes > Bytes{} ? 1 : 0;
    kernels += q.job.mode == Mode::train && op.backward_bytes > Bytes{} ? 1 : 0;
  }
  return kernels * kLaunch;
}

// Scales the roofline of each operator from the origin to the destination.
class Scaling {
 public:
  Scaling(const Query& origin, const Query& destination)
      : o_(origin), d_(destination), from_(wave_device(origin.gpu)), to_(wave_device(destination.gpu)) {
    align(from_, to_);
  }

  [[nodiscard]] Seconds scaled_step() const {
    Seconds sum = to_bandwidth(optimizer_roofline(o_));
    for (std::size_t i = 0; i < o_.graph.nodes.size(); ++i) {
      const OpCost& op = o_.cost.ops[i];
      sum += scaled(i, {forward_roofline(o_, i), forward_roofline(d_, i), op.forward / op.forward_bytes});
      if (o_.job.mode == Mode::infer) continue;
      sum += scaled(i, {backward_roofline(o_, i), backward_roofline(d_, i), op.backward / op.backward_bytes});
    }
    return sum;
  }

 private:
  using Intensity = decltype(Flops{} / Bytes{});
  struct Part {
    Seconds origin, destination;  // rooflines
    Intensity intensity;
  };

  // Libraries choose another kernel for every GPU: the ratio of rooflines. The others run the same code.
  [[nodiscard]] Seconds scaled(std::size_t node, const Part& part) const {
    if (part.origin == Seconds{}) return {};
    if (uses_matrix_units(o_.graph.nodes[node].op)) return part.destination;
    const double ridge = vector_peak(d_.gpu, d_.job.precision).value / d_.gpu.memory_bandwidth.value;
    return many_wave_ratio(from_, to_, memory_share(part.intensity.value, ridge)) * part.origin;
  }

  [[nodiscard]] Seconds to_bandwidth(Seconds time) const { return many_wave_ratio(from_, to_, 1) * time; }

  const Query& o_;
  const Query& d_;
  WaveDevice from_;
  WaveDevice to_;
};

struct Anchor {
  TrainingJob job;
  Seconds step;
  Seconds roofline;  // on the origin
};

class WaveScaling final : public Predictor {
 public:
  explicit WaveScaling(const Setup& setup)
      : origin_(setup.catalog != nullptr ? setup.catalog->gpus.get(setup.from, {"--from"})
                                         : builtin_catalog().gpus.get(setup.from, {"--from"})) {
    for (const auto& m : setup.measured) {
      if (m.gpu != origin_.id) continue;
      const Network network = find_network(m.job.network);
      const Graph graph = build(network, m.job.sizes);
      const GraphCost counted = cost(graph, m.job.precision);
      anchors_.push_back({m.job, m.step, positive_roofline({m.job, graph, counted, origin_})});
      anchors_.back().job.network = network.id;
    }
    if (anchors_.empty()) {
      throw InputError({"--measured"}, "nothing was measured on '" + origin_.id + "', which --from names");
    }
  }

  [[nodiscard]] Prediction predict(const Query& q) const override {
    const Query on_origin{q.job, q.graph, q.cost, origin_};
    const Seconds roofline = positive_roofline(on_origin);
    const Anchor& anchor = nearest(q.job, roofline);
    // The same network with the same roofline has the same sizes.
    const bool measured = same_kind(anchor.job, q.job) && anchor.roofline == roofline;
    const Seconds step = measured ? anchor.step : (roofline / anchor.roofline) * anchor.step;
    // The roofline is the device's; what is the host's has to fit above it.
    const Seconds room = std::max(Seconds{}, step - roofline);
    const Seconds overhead = std::min(launches(on_origin), room);
    Prediction p;
    p.breakdown.compute = ((step - overhead) / roofline) * Scaling(on_origin, q).scaled_step();
    p.breakdown.overhead = overhead;
    p.iteration = p.breakdown.total();
    const double half = kHalfWidth * (measured ? 1 : kExtrapolating);
    p.interval = {.low = (1 - half) * p.iteration, .high = (1 + half) * p.iteration};
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = p.memory.total() <= q.gpu.memory;
    p.extrapolating = !measured;
    p.model = "wave-scaling";
    p.warnings = warnings(q.graph);
    return p;
  }

 private:
  // Of the same kind if there is one, then by how much work it is.
  [[nodiscard]] const Anchor& nearest(const TrainingJob& job, Seconds roofline) const {
    return *std::ranges::min_element(anchors_, {}, [&](const Anchor& a) {
      return std::pair(!same_kind(a.job, job), std::abs(std::log(a.roofline / roofline)));
    });
  }

  Gpu origin_;
  std::vector<Anchor> anchors_;
};

std::unique_ptr<Predictor> make(const Setup& setup) {
  if (setup.measured.empty()) {
    throw InputError({"--measured"}, "wave scaling needs steps that were timed on one GPU",
                     "'--from GPU --measured FILE.csv', with the columns of --cases and measured_s");
  }
  if (setup.from.empty()) {
    throw InputError({"--from"}, "is missing: the GPU that the steps of --measured were timed on");
  }
  return std::make_unique<WaveScaling>(setup);
}

}  // namespace

PredictorInfo predictor_wave_scaling() {
  return {{.id = "wave-scaling",
           .summary = "other GPUs from one that was measured (--from, --measured)",
           .reference = "Yu, Gao, Golikov, Pekhimenko: Habitat, USENIX ATC 2021"},
          {},
          make};
}

}  // namespace sextant
