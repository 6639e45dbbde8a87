// Per-layer regression (Gianniti, Zhang, Ardagna, SBAC-PAD 2018): a line in the operation count for each
// type of layer, direction and GPU, summed over the network. Page: docs/models/per-layer.md.
#include "sextant/predict/per_layer.h"

#include <algorithm>
#include <cmath>

#include "layer_model.h"
#include "sextant/core/text.h"

namespace sextant::predict::predictor_per_layer {
namespace {

constexpr double kTwoSided90 = 1.6448536269514722;  // normal quantile at 0.95

class PerLayer final : public Predictor {
 public:
  explicit PerLayer(LayerModel model) : model_(std::move(model)) {}

  [[nodiscard]] Prediction predict(const Query& q) const override {
    const LayerDevice& device = device_of(q.gpu);
    const LayerEstimate sum = estimate_layers(device, q);
    const double factor = device.factor.mean;
    Prediction p;
    p.breakdown = {.compute = factor * sum.slope,
                   .communication = {},
                   .input = factor * sum.input,
                   .overhead = factor * sum.fixed};
    p.iteration = p.breakdown.total();
    p.interval = interval(p.iteration, factor * factor * sum.variance +
                                           sum.total().value * sum.total().value * device.factor.variance);
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = fits_memory(p.memory, q.gpu);
    p.extrapolating = sum.outside || !sum.stood_in.empty();
    p.model = "per-layer";
    p.warnings = warnings(q.graph);
    if (!sum.stood_in.empty()) {
      p.warnings.push_back("no line was fitted for " + join(sum.stood_in, ", ") +
                           ": the roofline stands in, which is a lower bound");
    }
    if (!fully_counted(q)) p.interval = from_below(p.iteration);
    return p;
  }

 private:
  static TimeInterval interval(Seconds middle, double variance) {
    const Seconds half{kTwoSided90 * std::sqrt(variance)};
    return {.low = std::max(Seconds{}, middle - half), .high = middle + half};
  }

  [[nodiscard]] const LayerDevice& device_of(const catalog::Gpu& gpu) const {
    if (const auto it = model_.find(gpu.id); it != model_.end()) return it->second;
    std::vector<std::string> known;
    for (const auto& [id, device] : model_) known.push_back(id);
    throw InputError({}, "the model has no layers that were timed on '" + gpu.id + "'",
                     known.empty() ? "" : "it knows " + join(known, ", "));
  }

  LayerModel model_;
};

std::unique_ptr<Predictor> make(const Setup& setup) {
  if (setup.model.empty()) {
    throw InputError(at_field("model"), "the per-layer predictor needs a model of layers timed on the GPU",
                     "fit_per_layer() of predict/per_layer.h makes one from layer times");
  }
  return std::make_unique<PerLayer>(parse_layer_model(setup.model, setup.model_file));
}

}  // namespace

std::vector<PredictorInfo> plugin() {
  return {{{.id = "per-layer",
            .summary = "a line in the operation count for each type of layer, summed",
            .reference = "Gianniti, Zhang, Ardagna: Performance prediction of GPU-based deep learning "
                         "applications, SBAC-PAD 2018"},
           {},
           make,
           PredictorNeed::layer_model}};
}

}  // namespace sextant::predict::predictor_per_layer
