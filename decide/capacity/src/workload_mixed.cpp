#include "workload_mixed.h"

#include <cmath>

#include "sextant/core/rng.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMixedGpus = 4;   // of a machine
constexpr double kSlowPrice = 0.5;       // USD/h of a slow GPU
constexpr std::size_t kMixedKinds = 4;   // of jobs
constexpr double kShortestKind = 1800;   // s on a slow GPU
constexpr double kLongestKind = 14'400;  // s

double drawn_between(Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}

// A slow GPU and one that is two to four times as fast, and more or less its price; machines with 1, 2 and 4.
struct GpuKinds {
  double fast_speed = 1;
  double fast_price = 1;  // USD/h

  explicit GpuKinds(Rng& rng)
      : fast_speed(drawn_between(rng, 2, 4)),
        fast_price(kSlowPrice * std::pow(fast_speed, drawn_between(rng, .9, 1.3))) {}

  [[nodiscard]] std::vector<MachineType> machines() const {
    std::vector<MachineType> types;
    for (const bool fast : {false, true}) {
      for (std::int32_t gpus = 1; gpus <= kMixedGpus; gpus *= 2) {
        types.push_back({.name = (fast ? "fast-" : "slow-") + std::to_string(gpus),
                         .gpu = fast ? "fast" : "slow",
                         .gpus = gpus,
                         .hour_price = Dollars{gpus * (fast ? fast_price : kSlowPrice)},
                         .minimum_billing = Seconds{60}});
      }
    }
    return types;
  }
};

// g GPUs are g^gain times as fast as one; how well times are known differs as well.
struct MixedKind {
  double seconds = 0;  // on a slow GPU
  double gain = 1;
  double fast = 1;  // how much the fast GPU is for it
  double spread = 0;

  MixedKind(Rng& rng, double fast_speed)
      : seconds(kShortestKind * std::pow(kLongestKind / kShortestKind, rng.uniform())),
        gain(drawn_between(rng, .5, .95)),
        fast(fast_speed * drawn_between(rng, .8, 1.2)),
        spread(drawn_between(rng, .05, .25)) {}

  [[nodiscard]] std::vector<JobOption> options(double length, const std::vector<MachineType>& types) const {
    std::vector<JobOption> options;
    for (std::size_t t = 0; t < types.size(); ++t) {
      const double alone = length * seconds / (types[t].gpu == "fast" ? fast : 1);
      for (std::int32_t gpus = 1; gpus <= types[t].gpus; ++gpus) {
        options.push_back({.type = static_cast<std::int32_t>(t),
                           .gpus = gpus,
                           .time = Seconds{alone / std::pow(gpus, gain)},
                           .spread = spread});
      }
    }
    return options;
  }
};

}  // namespace

// Due dates and weights as in the study: 1.2 to 3 times the median time after submission; 1 to 5 times the
// mean price of a machine for an hour of lateness.
Workload draw_mixed_workload(const WorkloadDraws& draws, std::uint64_t seed, std::int64_t instance) {
  Rng rng = Rng(seed).stream("mixed", static_cast<std::uint64_t>(instance));
  const GpuKinds gpus(rng);
  Workload workload{.name = "mixed-" + std::to_string(draws.nodes) + "-" + std::to_string(instance + 1),
                    .types = gpus.machines(),
                    .nodes = std::vector<NodeState>(static_cast<std::size_t>(draws.nodes))};
  double price = 0;
  for (const MachineType& type : workload.types) price += type.hour_price.value;
  price /= static_cast<double>(workload.types.size());
  std::vector<MixedKind> kinds;
  double mean = 0;  // s on a slow GPU
  for (std::size_t k = 0; k < kMixedKinds; ++k) {
    kinds.emplace_back(rng, gpus.fast_speed);
    mean += kinds.back().seconds / kMixedKinds;
  }
  const double gap = mean / (draws.load * kMixedGpus * static_cast<double>(draws.nodes));
  const std::int64_t jobs = draws.jobs == 0 ? 10 * draws.nodes : draws.jobs;
  double now = 0;
  for (std::int64_t i = 0; i < jobs; ++i) {
    WorkloadJob job{.id = "J" + std::to_string(i + 1), .submit = Seconds{now}};
    const MixedKind& kind = kinds[rng.below(kinds.size())];
    job.options = kind.options(drawn_between(rng, .5, 1.5), workload.types);
    job.due = Seconds{now + drawn_between(rng, 1.2, 3) * median_time(job.options)};
    const auto weight = static_cast<double>(1 + rng.below(5));
    job.tardiness = Dollars{weight * price} / kHour;
    job.priority = weight;
    workload.jobs.push_back(std::move(job));
    now += rng.exponential(gap);
  }
  return workload;
}

}  // namespace sextant::capacity
