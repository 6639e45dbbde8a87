#include "generator_draws.h"

#include <cmath>
#include <numbers>

namespace sextant::jobs {
namespace {

// One unit of the integral of the rate is one exponential draw, so every process spends one number a job.
std::vector<double> poisson(double mean_gap, std::size_t jobs, Rng rng) {
  std::vector<double> arrivals(jobs);
  for (std::size_t i = 1; i < jobs; ++i) arrivals[i] = arrivals[i - 1] + rng.exponential(mean_gap);
  return arrivals;
}

// Solves t + c (1 - cos(w t)) = mass: Newton's steps, halving where they leave the bracket.
double diurnal_time(double mass, double c, double w) {
  double low = std::max(0.0, mass - 2 * c);
  double high = mass;
  double t = mass;
  for (int i = 0; i < 100 && high - low > 1e-9 * (1 + high); ++i) {
    const double excess = t + c * (1 - std::cos(w * t)) - mass;
    if (std::abs(excess) < 1e-9 * (1 + mass)) break;
    (excess > 0 ? high : low) = t;
    const double next = t - excess / (1 + c * w * std::sin(w * t));
    t = next > low && next < high ? next : (low + high) / 2;
  }
  return t;
}

std::vector<double> arrivals_of(const PoissonArrivals&, const Generator& g, const Rng& root) {
  return poisson(g.interarrival_s, static_cast<std::size_t>(g.jobs), root.stream("arrival"));
}

std::vector<double> arrivals_of(const DiurnalArrivals& day, const Generator& g, const Rng& root) {
  std::vector<double> arrivals =
      poisson(g.interarrival_s, static_cast<std::size_t>(g.jobs), root.stream("arrival"));
  const double w = 2 * std::numbers::pi / day.period_s;
  double before = 0;
  for (double& t : arrivals) before = t = std::max(before, diurnal_time(t, day.amplitude / w, w));
  return arrivals;
}

std::vector<double> arrivals_of(const BurstArrivals& bursts, const Generator& g, const Rng& root) {
  Rng rng = root.stream("arrival");
  Rng states = root.stream("burst");
  const double burst_share = bursts.burst_s / (bursts.burst_s + bursts.calm_s);
  const double calm_gap = g.interarrival_s * (1 - burst_share + burst_share * bursts.factor);
  bool burst = states.uniform() < burst_share;
  double end = states.exponential(burst ? bursts.burst_s : bursts.calm_s);
  double t = 0;
  std::vector<double> arrivals(static_cast<std::size_t>(g.jobs));
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    double mass = rng.exponential(calm_gap);  // seconds of calm until the next job
    while (mass > (end - t) * (burst ? bursts.factor : 1)) {
      mass -= (end - t) * (burst ? bursts.factor : 1);
      t = end;
      burst = !burst;
      end += states.exponential(burst ? bursts.burst_s : bursts.calm_s);
    }
    t += mass / (burst ? bursts.factor : 1);
    arrivals[i] = t;
  }
  return arrivals;
}

std::vector<double> arrivals_of(const RecordedArrivals& recorded, const Generator& g, const Rng&) {
  double sum = 0;
  for (const double gap : recorded.gaps_s) sum += gap;
  const double mean = sum / static_cast<double>(recorded.gaps_s.size());
  const double scale = g.interarrival_set && mean > 0 ? g.interarrival_s / mean : 1;
  std::vector<double> arrivals(static_cast<std::size_t>(g.jobs));
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    arrivals[i] = arrivals[i - 1] + scale * recorded.gaps_s[(i - 1) % recorded.gaps_s.size()];
  }
  return arrivals;
}

double duration_of(const TwoPartDurations& law, std::int32_t, Rng& rng) {
  const bool is_short = rng.uniform() < law.short_share;
  const double u = rng.uniform();
  return 60 * std::pow(10, is_short ? 1.5 + 1.5 * u : 3 + u);
}
double duration_of(const LognormalDurations& law, std::int32_t, Rng& rng) {
  return law.median_s * std::exp(law.sigma * rng.normal());
}
// By inversion of F(x) = (1 - (low/x)^a) / (1 - (low/high)^a).
double duration_of(const ParetoDurations& law, std::int32_t, Rng& rng) {
  const double tail = 1 - std::pow(law.low_s / law.high_s, law.shape);
  return law.low_s * std::pow(1 - rng.uniform() * tail, -1 / law.shape);
}
double duration_of(const ExponentialDurations& law, std::int32_t, Rng& rng) {
  return rng.exponential(law.mean_s);
}
double duration_of(const FixedDurations& law, std::int32_t, Rng&) {
  return law.seconds;
}
double duration_of(const EmpiricalDurations& law, std::int32_t gpus, Rng& rng) {
  const double value = law.values_s[static_cast<std::size_t>(rng.below(law.values_s.size()))];
  return law.gpu_time ? value / gpus : value;
}

}  // namespace

WeightedDraw::WeightedDraw(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
    sums_.push_back(sum);
    if (weight > 0) last_ = sums_.size() - 1;
  }
}

std::vector<double> draw_arrivals(const Generator& generator, const Rng& root) {
  return std::visit([&](const auto& process) { return arrivals_of(process, generator, root); },
                    generator.arrivals);
}

double draw_duration(const DurationLaw& law, std::int32_t gpus, Rng& rng) {
  constexpr double kShortest = 1e-3;  // a draw of 0 would be no job
  return std::max(kShortest, std::visit([&](const auto& l) { return duration_of(l, gpus, rng); }, law));
}

}  // namespace sextant::jobs
