#include "generator_check.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"
#include "trace_builder.h"

namespace sextant::jobs {
namespace {

constexpr std::int64_t kMostJobs = 100'000'000;

// Where the setting was written is known further up.
struct BadSetting {
  std::string setting;
  std::string what;
};

void require(bool fine, const std::string& setting, const std::string& what) {
  if (!fine) throw BadSetting{setting, what};
}

bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

template <class Value>
void check_values(const WeightedValues<Value>& values, const std::string& setting, double low, double high) {
  double sum = 0;
  for (const auto& [value, weight] : values) {
    require(within(static_cast<double>(value), low, high), setting,
            "must be from " + number_text(low) + " to " + number_text(high));
    require(within(weight, 0, 1e12), setting, "has a weight that is not from 0 to 1e12");
    sum += weight;
  }
  require(values.empty() || sum > 0, setting, "has no weight above 0");
}

constexpr double kLongest = 1e9;  // seconds: thirty years

void check(const PoissonArrivals&, const Generator&) {}
void check(const DiurnalArrivals& day, const Generator&) {
  require(within(day.amplitude, 0, 1), "amplitude", "must be from 0 to 1");
  require(within(day.period_s, 1, kLongest), "period", "must be from 1 s to 1e9 s");
}
void check(const BurstArrivals& bursts, const Generator& generator) {
  require(within(bursts.factor, 1, 1e6), "burst-factor", "must be from 1 to 1e6");
  require(within(bursts.burst_s, 1, kLongest), "burst-length", "must be from 1 s to 1e9 s");
  require(within(bursts.calm_s, 1, kLongest), "calm-length", "must be from 1 s to 1e9 s");
  require(generator.interarrival_s <= 100 * (bursts.burst_s + bursts.calm_s), "burst-length",
          "and calm-length are far shorter than the mean gap");
}
void check(const RecordedArrivals& recorded, const Generator&) {
  require(!recorded.gaps_s.empty(), "gaps", "names a trace of fewer than two jobs, or is missing");
  require(std::ranges::all_of(recorded.gaps_s, [](double gap) { return within(gap, 0, kLatestSecond); }),
          "gaps", "must be from 0 to 1e12 s");
}

void check(const TwoPartDurations& law) {
  require(within(law.short_share, 0, 1), "short-share", "must be from 0 to 1");
}
void check(const LognormalDurations& law) {
  require(within(law.median_s, 1e-3, kLongest), "median", "must be from 1 ms to 1e9 s");
  require(within(law.sigma, 0, 5), "sigma", "must be from 0 to 5");
}
void check(const ParetoDurations& law) {
  require(within(law.low_s, 1e-3, kLongest), "low", "must be from 1 ms to 1e9 s");
  require(within(law.high_s, 1e-3, kLongest) && law.high_s > law.low_s, "high",
          "must be above low, and at most 1e9 s");
  require(within(law.shape, 0.01, 100), "shape", "must be from 0.01 to 100");
}
void check(const ExponentialDurations& law) {
  require(within(law.mean_s, 1e-3, kLongest), "mean", "must be from 1 ms to 1e9 s");
}
void check(const FixedDurations& law) {
  require(within(law.seconds, 1e-3, kLongest), "duration", "must be from 1 ms to 1e9 s");
}
void check(const EmpiricalDurations& law) {
  require(!law.values_s.empty(), "durations-file", "has no values, or is missing");
  require(std::ranges::all_of(law.values_s, [](double value) { return within(value, 1e-9, kLatestSecond); }),
          "durations-file", "must hold seconds above 0");
}

void check_settings(const Generator& generator) {
  require(generator.jobs >= 1 && generator.jobs <= kMostJobs, "jobs", "must be from 1 to 100 million");
  require(within(generator.interarrival_s, 0, kLongest), "interarrival", "must be from 0 to 1e9 s");
  require(!generator.gpus.empty(), "gpus", "has no values");
  check_values(generator.gpus, "gpus", 1, kMostTraceGpus);
  check_values(generator.weights, "weights", 1e-9, 1e9);
  check_values(generator.priorities, "priorities", -1e9, 1e9);
  check_values(generator.deadlines, "deadlines", 0, 1e6);
  require(
      std::ranges::all_of(generator.models, [](const ModelClass& m) { return within(m.weight, 0, 1e12); }),
      "models", "has a weight that is not from 0 to 1e12");
  require(generator.estimate_sigma <= 5, "estimate-sigma", "must be at most 5");
  require(generator.users >= 0 && generator.users <= 1'000'000, "users", "must be from 0 to 1 million");
  require(within(generator.user_skew, 0, 10), "user-skew", "must be from 0 to 10");
  std::visit([&](const auto& process) { check(process, generator); }, generator.arrivals);
  std::visit([](const auto& law) { check(law); }, generator.durations);
}

}  // namespace

void check_generator(const Generator& generator, const SettingPlaces& places) {
  try {
    check_settings(generator);
  } catch (const BadSetting& bad) {
    const auto place = places.find(bad.setting);
    throw InputError(place == places.end() ? generator.at : place->second,
                     "the setting '" + bad.setting + "' " + bad.what);
  }
}

std::size_t reference_of(const Generator& generator, const ThroughputTable& table) {
  for (const ModelClass& each : generator.models) {
    const bool known =
        std::ranges::any_of(table.keys(), [&](const ThroughputKey& key) { return key.model == each.model; });
    if (known) continue;
    std::vector<std::string> names;
    for (const ThroughputKey& key : table.keys()) names.push_back(key.model);
    throw InputError(generator.at, "the table of throughputs has no model '" + each.model + "'",
                     name_hint(each.model, names));
  }
  if (const auto type = table.find_type(generator.reference_type)) return *type;
  throw InputError(generator.at, "the table of throughputs has no type '" + generator.reference_type + "'",
                   name_hint(generator.reference_type, table.types()));
}

}  // namespace sextant::jobs
