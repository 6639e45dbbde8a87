// Made-up workloads: arrivals, durations, gangs, models, deadlines, weights and users, each from its own
// random stream, so that changing one leaves the others as they were (common random numbers). Presets follow
// published clusters; a preset and settings are written on one line, "gavel:jobs=500:interarrival=720s", or
// in TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/registry.h"
#include "sextant/jobs/throughputs.h"
#include "sextant/jobs/trace.h"

namespace sextant::jobs {

// Values and the relative weight of each.
template <class Value>
using WeightedValues = std::vector<std::pair<Value, double>>;

// When jobs arrive; the mean gap is Generator::interarrival_s for all. The first arrives at 0.
struct PoissonArrivals {};
struct DiurnalArrivals {  // rate (1 + amplitude * sin(2 pi t / period)) / mean gap
  double amplitude = 0.5;
  double period_s = 86400;
};
struct BurstArrivals {  // MMPP-2: calm and bursts take turns, each of exponential length
  double factor = 10;   // rate in a burst over the rate in a calm
  double burst_s = 3600;
  double calm_s = 6 * 3600;
};
struct RecordedArrivals {  // gaps of a trace in their order, again from the start where they run out
  std::vector<double> gaps_s = {};
  std::string file = {};
};
using ArrivalProcess = std::variant<PoissonArrivals, DiurnalArrivals, BurstArrivals, RecordedArrivals>;

// How long a job runs with all its GPUs on the reference type.
struct TwoPartDurations {  // minutes: 10^U(1.5, 3) with this probability, else 10^U(3, 4)
  double short_share = 0.8;
};
struct LognormalDurations {
  double median_s = 3600;
  double sigma = 1;  // of the natural logarithm
};
struct ParetoDurations {  // bounded
  double low_s = 60;
  double high_s = 30 * 86400;
  double shape = 1;
};
struct ExponentialDurations {
  double mean_s = 3600;
};
struct FixedDurations {
  double seconds = 3600;
};
struct EmpiricalDurations {  // each recorded value as likely as the other
  std::vector<double> values_s = {};
  bool gpu_time = false;  // seconds of all GPUs together
  std::string file = {};
};
using DurationLaw = std::variant<TwoPartDurations, LognormalDurations, ParetoDurations, ExponentialDurations,
                                 FixedDurations, EmpiricalDurations>;

struct ModelClass {
  std::string model;
  double weight = 1;
  bool distributed = true;  // else on one GPU only
};

struct Generator {
  std::string preset = "gavel";
  std::string text = "gavel";  // as it was written: the source of its traces
  std::int64_t jobs = 500;
  double interarrival_s = 720;  // 0: all at once; recorded gaps are scaled to it, where it is set
  bool interarrival_set = false;
  ArrivalProcess arrivals = PoissonArrivals{};
  DurationLaw durations = TwoPartDurations{};
  WeightedValues<std::int32_t> gpus = {{1, 1.0}};
  bool multi_gpu = true;                   // false: the gangs are drawn, and then forced to 1
  std::vector<ModelClass> models = {};     // empty: those of the table, or none
  std::string reference_type = "v100";     // whose speeds turn durations into steps
  WeightedValues<double> weights = {};     // empty: all 1
  WeightedValues<double> priorities = {};  // empty: all 0
  WeightedValues<double> deadlines = {};   // factors of the duration; 0: none; empty: none has one
  double estimate_sigma = -1;  // of the logarithm of stated over true run time; below 0: none stated
  std::int64_t users = 0;      // 0: not stated
  double user_skew = 1;        // Zipf's exponent; 0: all alike
  bool exact = false;          // Gavel's own draws, number for number
  SourcePos at = {};           // where it was written, for messages
};

struct GeneratorPreset : PluginInfo {
  std::vector<std::string> aliases = {};
  Generator (*make)() = nullptr;
};
const Registry<GeneratorPreset>& generator_presets();

struct GeneratorSetting {
  std::string name;
  std::string summary;
};
const std::vector<GeneratorSetting>& generator_settings();

// "gavel:jobs=500:interarrival=720s:gpus=1@0.7+2@0.3", or a file that ends in .toml. Relative names of files
// are from the current folder, or from that of the TOML file.
Generator parse_generator(std::string_view text, const SourcePos& at = {});
Generator parse_generator_toml(const std::string& text, const std::string& file);

// With a table, work is in steps of the reference type; without one, in seconds on it.
Trace generate_trace(const Generator& generator, std::uint64_t seed, const ThroughputTable* table = nullptr);

}  // namespace sextant::jobs
