#include "sextant/plan/scale.h"

#include <algorithm>
#include <numeric>

namespace sextant::plan {
namespace {

std::vector<std::int64_t> from_one_to(std::int64_t most) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(most));
  std::iota(counts.begin(), counts.end(), 1);
  return counts;
}

// The same offer for a data set of another size: the step does not change.
Offer resized(Offer offer, const jobs::Job& job, std::int64_t samples) {
  jobs::Job whole = job;
  whole.sizes.batch = offer.global_batch;
  whole.layout = {};
  offer.set_steps(step_count(whole, {job.duration->epochs, samples}));
  return offer;
}

void add_point(const Offer& offer, ScaleCurve& curve) {
  ScalePoint point{.offer = offer};
  if (!curve.points.empty()) {
    const Offer& base = curve.points.front().offer;
    const ScalePoint& before = curve.points.back();
    const auto times = static_cast<double>(offer.pool.nodes()) / static_cast<double>(base.pool.nodes());
    const auto more = static_cast<double>(offer.pool.nodes() - before.offer.pool.nodes()) /
                      static_cast<double>(base.pool.nodes());
    point.speedup = base.time / offer.time;
    point.efficiency = point.speedup / times;
    point.marginal = (point.speedup - before.speedup) / more;
  }
  curve.points.push_back(point);
}

// Steps are whole, so that single points jump: a machine more pays as long as the efficiency from the start,
// and what the last eighth of the machines added, do.
bool pays(const ScaleCurve& curve, std::size_t i, double least) {
  const ScalePoint& here = curve.points[i];
  const ScalePoint& earlier = curve.points[i - std::max<std::size_t>(1, i / 8)];
  const auto base = static_cast<double>(curve.points.front().offer.pool.nodes());
  const double more = static_cast<double>(here.offer.pool.nodes() - earlier.offer.pool.nodes()) / base;
  return (here.speedup - earlier.speedup) / more >= least;
}

void judge(const ScaleRequest& request, ScaleCurve& curve) {
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const Offer& offer = curve.points[i].offer;
    if (!curve.enough && request.deadline && offer.time <= *request.deadline) curve.enough = i;
    if (offer.time < curve.points[curve.fastest].offer.time) curve.fastest = i;
  }
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    if (pays(curve, i, request.least_efficiency)) continue;
    curve.last_paying = i - 1;
    break;
  }
}

}  // namespace

ScaleAnswer scale(Training training, Market market, const ScaleRequest& request, Progress& progress) {
  training.job.duration->samples = std::ranges::max(request.samples);
  market.machines = {request.machine};
  market.counts = from_one_to(request.most);
  Offers offers = find_offers(training, market, progress);
  ScaleAnswer answer{.curves = {}, .refusals = std::move(offers.refusals)};
  for (const std::int64_t samples : request.samples) {
    ScaleCurve curve{.samples = samples, .points = {}};
    for (const Offer& offer : offers.list) {
      // A step never takes more samples than there are.
      if (offer.global_batch <= samples) add_point(resized(offer, training.job, samples), curve);
    }
    judge(request, curve);
    answer.curves.push_back(std::move(curve));
  }
  return answer;
}

}  // namespace sextant::plan
