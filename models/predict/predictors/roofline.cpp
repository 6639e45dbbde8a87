// Roofline (Williams, Waterman, Patterson 2009): no operator ends before its arithmetic is done at
// peak rate, nor before its compulsory bytes have moved at peak bandwidth. The sum over operators is a
// lower bound of the step. Page: docs/models/roofline.md.
#include "op_roofline.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict::predictor_roofline {
namespace {

class Roofline final : public Predictor {
  [[nodiscard]] Prediction predict(const Query& q) const override {
    Prediction p;
    p.breakdown.compute = step_roofline(q);
    p.iteration = p.breakdown.total();
    p.interval = from_below(p.iteration);
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = fits_memory(p.memory, q.gpu);
    p.model = "roofline";
    p.warnings = warnings(q.graph);
    return p;
  }
  [[nodiscard]] StepParts parts(const Query& q) const override { return {op_times(q), {}, {}}; }
};

}  // namespace

std::vector<PredictorInfo> plugin() {
  return {{{.id = "roofline",
            .summary = "lower bound from peak arithmetic and memory bandwidth",
            .reference = "Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009"},
           {},
           [](const Setup&) -> std::unique_ptr<Predictor> { return std::make_unique<Roofline>(); }}};
}

}  // namespace sextant::predict::predictor_roofline
