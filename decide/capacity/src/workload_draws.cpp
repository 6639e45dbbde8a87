#include "sextant/capacity/workload_draws.h"

#include <array>

#include "sextant/core/plugin_text.h"
#include "sextant/core/rng.h"
#include "sextant/stats/quantiles.h"
#include "workload_mixed.h"

namespace sextant::capacity {
namespace {

constexpr double kLongestGap = 1e6;  // s

const PluginInfo& draws_info() {
  static const PluginInfo info{
      .id = "study",
      .summary = "the settings of the seed study",
      .reference = "Jahani et al., ICCCS 2019",
      .parameters = {count_parameter("nodes", "how many", {10, 1, 10'000}),
                     count_parameter("jobs", "0: ten for each node", {0, 0, 1e6}),
                     seconds_parameter("gap", "mean time between two arrivals", {30, 1e-3, kLongestGap}),
                     count_parameter("instances", "how many, each with other jobs", {5, 1, 10'000}),
                     flag_parameter("inhouse", "0: without the machines in house", true)}};
  return info;
}

const PluginInfo& mixed_info() {
  static const PluginInfo info{
      .id = "mixed",
      .summary = "machines, kinds of jobs and due dates of any kind",
      .reference = "made up",
      .parameters = {count_parameter("nodes", "how many", {4, 1, 10'000}),
                     count_parameter("jobs", "0: ten for each node", {0, 0, 1e6}),
                     number_parameter("load", "of nodes with slow GPUs; fast ones do more", {.8, 1e-3, 1e3}),
                     count_parameter("instances", "how many, each with other jobs", {20, 1, 10'000})}};
  return info;
}

std::vector<MachineType> study_machines(bool inhouse) {
  std::vector<MachineType> types = {{.name = "NC6", .gpu = "K80", .gpus = 1, .hour_price = Dollars{.56}},
                                    {.name = "NC12", .gpu = "K80", .gpus = 2, .hour_price = Dollars{1.13}},
                                    {.name = "NC24", .gpu = "K80", .gpus = 4, .hour_price = Dollars{2.25}},
                                    {.name = "NV6", .gpu = "M60", .gpus = 1, .hour_price = Dollars{.62}},
                                    {.name = "NV12", .gpu = "M60", .gpus = 2, .hour_price = Dollars{1.24}},
                                    {.name = "NV24", .gpu = "M60", .gpus = 4, .hour_price = Dollars{2.48}}};
  if (!inhouse) return types;
  types.push_back({.name = "inhouse-1", .gpu = "Quadro P600", .gpus = 2, .hour_price = Dollars{.11}});
  types.push_back({.name = "inhouse-3", .gpu = "Quadro P600", .gpus = 8, .hour_price = Dollars{.44}});
  types.push_back({.name = "inhouse-2", .gpu = "GTX 1080Ti", .gpus = 8, .hour_price = Dollars{1.13}});
  return types;
}

// The kinds of the study's prototype: images to be seen, images a second on one K80, the speed of an M60
// relative to it, and the part of the time that more GPUs do not shorten (Amdahl). Rates and parts of
// AlexNet, ResNet50 and VGG19 are rounded medians of the authors' own table of times (GPUspb); those of
// DeepSpeech, and the speeds of the GPUs that the table leaves out, are made up. What needs more than its 2
// GB does not run on a P600.
struct JobKind {
  double images;
  double k80_images_per_s;
  double m60;
  double serial;
  bool fits_p600;
};
constexpr std::array kKinds = {JobKind{64 * 158.0, 3.5, 1.1, .6, true},  // DeepSpeech, TensorFlow; inputs
                               JobKind{130e3, 27, 1.1, .6, false},       // VGG19, PyTorch
                               JobKind{130e3, 15, 1.3, .9, false},       // VGG19, TensorFlow
                               JobKind{12 * 130e3, 800, 1.1, .8, true},  // AlexNet, PyTorch
                               JobKind{3 * 130e3, 65, 1.1, .65, false},  // ResNet50, PyTorch
                               JobKind{3 * 130e3, 68, 1.1, .9, false}};  // ResNet50, TensorFlow
constexpr double kP600 = .25;                                            // speeds relative to a K80
constexpr double kGtx1080Ti = 3;

// 0: it does not fit.
double speed_on(const JobKind& kind, const std::string& gpu) {
  if (gpu == "M60") return kind.m60;
  if (gpu == "Quadro P600") return kind.fits_p600 ? kP600 : 0;
  return gpu == "GTX 1080Ti" ? kGtx1080Ti : 1;
}

std::vector<JobOption> drawn_options(const JobKind& kind, double length,
                                     const std::vector<MachineType>& types) {
  std::vector<JobOption> options;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const double speed = speed_on(kind, types[t].gpu);
    if (speed == 0) continue;
    const double alone = length * kind.images / kind.k80_images_per_s / speed;
    for (std::int32_t gpus = 1; gpus <= types[t].gpus; ++gpus) {
      const Seconds time{alone * (kind.serial + (1 - kind.serial) / gpus)};
      options.push_back({.type = static_cast<std::int32_t>(t), .gpus = gpus, .time = time});
    }
  }
  return options;
}

// Due dates at 1.2 to 3 times the median time after submission; an hour of lateness costs 1 to 5 times the
// mean price of a machine.
Workload draw_workload(const WorkloadDraws& draws, std::uint64_t seed, std::int64_t instance) {
  Workload workload{.name = std::to_string(draws.nodes) + "-" + number_text(draws.gap.value) + "s-" +
                            std::to_string(instance + 1),
                    .types = study_machines(draws.inhouse),
                    .nodes = std::vector<NodeState>(static_cast<std::size_t>(draws.nodes))};
  double price = 0;
  for (const MachineType& type : workload.types) price += type.hour_price.value;
  price /= static_cast<double>(workload.types.size());
  Rng rng = Rng(seed).stream("workload", static_cast<std::uint64_t>(instance));
  const std::int64_t jobs = draws.jobs == 0 ? 10 * draws.nodes : draws.jobs;
  double now = 0;
  for (std::int64_t i = 0; i < jobs; ++i) {
    WorkloadJob job{.id = "J" + std::to_string(i + 1), .submit = Seconds{now}};
    const JobKind& kind = kKinds[rng.below(kKinds.size())];
    const double length = .5 + 1.5 * rng.uniform();
    job.options = drawn_options(kind, length, workload.types);
    const double slack = 1.2 + 1.8 * rng.uniform();
    job.due = Seconds{now + slack * median_time(job.options)};
    const auto weight = static_cast<double>(1 + rng.below(5));
    job.tardiness = Dollars{weight * price} / kHour;
    job.priority = weight;
    workload.jobs.push_back(std::move(job));
    now += rng.exponential(draws.gap.value);
  }
  return workload;
}

}  // namespace

double median_time(const std::vector<JobOption>& options) {
  std::vector<double> times;
  for (const JobOption& option : options) times.push_back(option.time.value);
  return stats::sample_quantile(times, 0.5);
}

WorkloadDraws parse_workload_draws(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  if (fold_name(parts.id) == mixed_info().id) {
    const Parameters parameters = parameters_of(mixed_info(), parts, at);
    return {.settings = DrawnSettings::mixed,
            .nodes = parameters.count("nodes"),
            .jobs = parameters.count("jobs"),
            .instances = parameters.count("instances"),
            .load = parameters.number("load")};
  }
  if (fold_name(parts.id) != draws_info().id) {
    throw InputError(at, "unknown generator '" + parts.id + "'",
                     "one of: " + draws_info().id + ", " + mixed_info().id);
  }
  const Parameters parameters = parameters_of(draws_info(), parts, at);
  return {.nodes = parameters.count("nodes"),
          .jobs = parameters.count("jobs"),
          .gap = parameters.seconds("gap"),
          .instances = parameters.count("instances"),
          .inhouse = parameters.flag("inhouse")};
}

std::vector<Workload> draw_workloads(const WorkloadDraws& draws, std::uint64_t seed) {
  std::vector<Workload> workloads;
  for (std::int64_t i = 0; i < draws.instances; ++i) {
    workloads.push_back(draws.settings == DrawnSettings::mixed ? draw_mixed_workload(draws, seed, i)
                                                               : draw_workload(draws, seed, i));
  }
  return workloads;
}

}  // namespace sextant::capacity
