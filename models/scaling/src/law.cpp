#include "law.h"

#include <algorithm>
#include <cmath>

namespace sextant::scaling {
namespace {

double log_sum(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

// Gradients are summed within each node and then between nodes: one after the other.
struct Sending {
  double log_time = 0;
  double inside_share = 0;
};

Sending sending(const LawInputs& in, const Links& links) {
  const double outside = in.outside + links.log_ring;
  if (links.reach == Reach::one_node) return {in.sync + in.inside, 1};
  if (links.reach == Reach::one_of_each) return {in.sync + outside, 0};
  const double way = log_sum(in.inside, outside);
  return {in.sync + way, std::exp(in.inside - way)};
}

}  // namespace

Links links_of(const jobs::Placement& placement) {
  if (placement.total() < 2) return {};
  if (placement.nodes() == 1) return {Reach::one_node, 0};
  const auto all = static_cast<double>(placement.total());
  return {placement.fullest() == 1 ? Reach::one_of_each : Reach::both, std::log(2 * (all - 1) / all)};
}

LawPoint law(const LawInputs& in, double log_batch, const Links& links) {
  LawPoint point;
  const double line = log_sum(in.fixed, in.sample + log_batch);
  point.log_compute = line + in.compute;
  const double fixed_share = std::exp(in.fixed - line);
  const auto through_compute = [&](double slope) {
    point.slope.compute = slope;
    point.slope.fixed = slope * fixed_share;
    point.slope.sample = slope * (1 - fixed_share);
  };
  if (links.reach == Reach::one_gpu) {
    point.log_time = point.log_compute;
    through_compute(1);
    return point;
  }
  const double before = 1 / (1 + std::exp(-in.start));
  const double exponent = 1 + std::exp(in.overlap);
  const double beside = std::log1p(-before) + point.log_compute;  // compute that sending can hide behind
  const Sending sent = sending(in, links);
  const double joint = log_sum(exponent * beside, exponent * sent.log_time) / exponent;
  point.log_time = log_sum(std::log(before) + point.log_compute, joint);
  const double joint_share = std::exp(joint - point.log_time);
  const double hiding = std::exp(exponent * (beside - joint));
  through_compute(1 - joint_share + joint_share * hiding);
  point.slope.sync = joint_share * (1 - hiding);
  point.slope.inside = point.slope.sync * sent.inside_share;
  point.slope.outside = point.slope.sync - point.slope.inside;
  point.slope.start = (1 - joint_share) * (1 - before) - joint_share * hiding * before;
  point.slope.overlap =
      joint_share * (hiding * beside + (1 - hiding) * sent.log_time - joint) / exponent * (exponent - 1);
  return point;
}

std::vector<LawTerm> terms_of(const jobs::Placement& placement, const Traits& traits) {
  namespace c = scaling_coefficient;
  std::vector<LawTerm> terms = {{c::fixed, 1}, {c::sample, 1}};
  if (placement.total() < 2) return terms;
  const double log_gpus = std::log(static_cast<double>(placement.fullest()));
  const auto nodes = static_cast<double>(placement.nodes());
  terms.insert(terms.end(), {{c::parallel_fixed, 1},
                             {c::parallel, 1},
                             {c::slow_gpus, log_gpus},
                             {c::slow_nodes, std::log(nodes)},
                             {c::size, 1},
                             {c::size_sync, traits.sync},
                             {c::size_fixed, traits.fixed},
                             {c::size_here, traits.fixed_here},
                             {c::start, 1},
                             {c::overlap, 1}});
  if (placement.fullest() > 1) {
    terms.insert(terms.end(),
                 {{c::inside, 1}, {c::inside_gpus, std::log(static_cast<double>(placement.fullest() - 1))}});
  }
  if (placement.nodes() == 1) return terms;
  // Both ends of a message work on it: the fullest node and the emptiest.
  const double log_ends = (log_gpus + std::log(static_cast<double>(placement.emptiest()))) / 2;
  terms.push_back({c::uneven, std::log(static_cast<double>(placement.fullest()) /
                                       static_cast<double>(placement.emptiest()))});
  if (placement.nodes() == 2) {
    terms.insert(terms.end(), {{c::two, 1}, {c::two_gpus, log_ends}});
  } else {
    terms.insert(terms.end(), {{c::many, 1}, {c::many_gpus, log_ends}, {c::many_nodes, std::log(nodes / 3)}});
  }
  return terms;
}

double& part_of(LawInputs& inputs, Part part) {
  switch (part) {
    case Part::fixed:
      return inputs.fixed;
    case Part::sample:
      return inputs.sample;
    case Part::compute:
      return inputs.compute;
    case Part::sync:
      return inputs.sync;
    case Part::inside:
      return inputs.inside;
    case Part::outside:
      return inputs.outside;
    case Part::start:
      return inputs.start;
    case Part::overlap:
      break;
  }
  return inputs.overlap;
}

}  // namespace sextant::scaling
