#include "generation_law.h"

#include <algorithm>
#include <cmath>

#include "sextant/stats/distributions.h"

namespace sextant::llm {
namespace {

double at(GenerationField field, const GenerationValues& values) {
  return values[static_cast<std::size_t>(field)];
}

// The device and the host hide each other; what a sequence costs in between hides behind neither.
double pass_seconds(double kernels, const PassParts& p, const GenerationValues& v) {
  const double device = kernels + p.experts * at(GenerationField::experts, v) +
                        p.collectives * at(GenerationField::collective, v) +
                        p.memory * at(GenerationField::passing, v) + p.layers * at(GenerationField::small, v);
  const double host = p.layers * at(GenerationField::host_layer, v) + at(GenerationField::host_step, v);
  return std::cbrt(device * device * device + host * host * host) +
         p.sequences * at(GenerationField::sequence, v);
}

// How much wider a 90 % interval must be that rests on so few deviations.
double student_widening(double deviations) {
  constexpr double kUpper = 0.95;
  return quantile(stats::StudentT{deviations}, kUpper) / quantile(stats::Normal{}, kUpper);
}

TimeSpan span_of(double seconds, double width) {
  const Seconds time{seconds};
  return {time, std::exp(-width) * time, std::exp(width) * time};
}

}  // namespace

std::string vendor_architecture(const catalog::Gpu& gpu) {
  return gpu.vendor + "/" + gpu.architecture;
}

const std::array<GenerationPrior, kGenerationFields>& generation_priors() {
  static const std::array<GenerationPrior, kGenerationFields> priors = {{
      {"prompt", 1, 0.15, 0.3, 0.2, 0.6, 0.15},
      {"token", 1, 0.1, 0.2, 0.15, 0.3, 0.1},
      {"experts", 1, 0.2, 0.3, 0.2, 0.3, 0.1},
      {"cache", 1, 0.2, 0.3, 0.15, 0.5, 0.15},
      {"grouping", 1, 0.7, 0.7, 0.4, 0.7, 0.3},
      {"collective", 1, 0.3, 0.3, 0.2, 0.3, 0.15},
      {"passing", 1, 0.3, 0.2, 0, 0, 0},
      {"small", 30e-6, 0.7, 0.5, 0.2, 0.4, 0.15},
      {"host_layer", 10e-6, 1, 0.8, 0.3, 0, 0},
      {"host_step", 1e-3, 1, 0.8, 0.3, 0, 0},
      {"sequence", 5e-6, 1.5, 1, 0.5, 0.5, 0},
      {"start", 5e-3, 1.5, 1, 0.5, 0, 0},
  }};
  return priors;
}

std::vector<std::pair<std::string, std::string>> generation_departures(const GenerationCase& at) {
  const std::string architecture = vendor_architecture(at.gpu);
  std::vector<std::pair<std::string, std::string>> all = {{"engine", at.engine},
                                                          {"vendor", at.gpu.vendor},
                                                          {"engine-vendor", at.engine + " " + at.gpu.vendor},
                                                          {"architecture", architecture}};
  if (!at.release.empty()) all.emplace_back("release", at.engine + " " + at.release);
  return all;
}

double departure_deviation(const std::string& kind, std::size_t field) {
  const GenerationPrior& prior = generation_priors()[field];
  if (kind == "engine") return prior.engine;
  if (kind == "release") return prior.release;
  return kind == "architecture" ? prior.architecture : prior.vendor;
}

GenerationValues plain_values(GenerationValues logarithms) {
  constexpr auto kPower = static_cast<std::size_t>(GenerationField::grouping);
  for (double& value : logarithms) value = std::exp(value);
  logarithms[kPower] /= 1 + logarithms[kPower];
  return logarithms;
}

CountedGeneration counted_generation(const KernelModel& kernels, const GenerationCase& at) {
  GenerationCase together = at;
  const double room = sequences_that_fit(at, usable_memory(at.gpu));
  together.batch = room > 0 ? std::min(at.batch, room) : at.batch;
  return {.prompt = prompt_pass(kernels, together),
          .token = token_pass(kernels, together),
          .generate = at.generate,
          .waves = at.batch / together.batch,
          .at_once = together.batch};
}

GenerationSeconds generation_seconds(const CountedGeneration& counted, const GenerationValues& values) {
  const PassParts& prompt = counted.prompt;
  const PassParts& token = counted.token;
  GenerationSeconds s;
  s.first = at(GenerationField::start, values) +
            pass_seconds((prompt.products + prompt.attention) * at(GenerationField::prompt, values), prompt,
                         values);
  s.token = pass_seconds(token.products * at(GenerationField::token, values) +
                             token.attention * at(GenerationField::cache, values) *
                                 std::pow(token.group, at(GenerationField::grouping, values)),
                         token, values);
  s.total = counted.waves * (s.first + (counted.generate - 1) * s.token);
  return s;
}

GenerationValues values_of(const GenerationModel& model, const GenerationCase& at) {
  GenerationValues values{};
  std::ranges::copy(model.shared, values.begin());
  for (const auto& key : generation_departures(at)) {
    const auto found = model.departures.find(key);
    if (found == model.departures.end()) continue;
    for (std::size_t i = 0; i < kGenerationFields; ++i) values[i] += found->second[i];
  }
  return plain_values(values);
}

// A few architectures of a vendor tell little of how far another one is off: Student's t stands for the
// normal distribution. Formats and attention that were never timed widen by an assumed third.
double half_width(const GenerationModel& model, const GenerationCase& at) {
  constexpr double kNeverTimed = 0.3;
  const bool architecture = model.departures.contains({"architecture", vendor_architecture(at.gpu)});
  const auto siblings = std::ranges::count_if(model.departures, [&](const auto& entry) {
    return entry.first.first == "architecture" && entry.first.second.starts_with(at.gpu.vendor + "/");
  });
  double width = model.gpu_width;
  if (!architecture && siblings > 0) width *= student_widening(static_cast<double>(siblings));
  if (!model.networks.contains(at.model.name))
    width = architecture ? model.network_width : std::hypot(width, model.network_width);
  if (siblings == 0) width = std::hypot(width, model.vendor_width);
  if (!model.engines.contains(at.engine)) width = std::hypot(width, model.engine_width);
  const bool timed_format = at.weights == WeightFormat::bf16 || at.weights == WeightFormat::fp8;
  const bool other_attention =
      at.model.attention == nets::AttentionKind::mla || at.model.keeping_layers() < at.model.layers;
  if (!timed_format || other_attention) width = std::hypot(width, kNeverTimed);
  return width;
}

GenerationTime generation_time(const KernelModel& kernels, const GenerationModel& model,
                               const GenerationCase& at) {
  check(at);
  const CountedGeneration counted = counted_generation(kernels, at);
  const GenerationSeconds s = generation_seconds(counted, values_of(model, at));
  GenerationTime time;
  time.timed_gpu = model.departures.contains({"architecture", vendor_architecture(at.gpu)});
  time.timed_vendor = model.departures.contains({"vendor", at.gpu.vendor});
  time.timed_engine = model.engines.contains(at.engine);
  const double width = half_width(model, at);
  time.first_token = span_of(s.first, width);
  time.token = span_of(s.token, width);
  time.total = span_of(s.total, width);
  time.tokens_per_second = at.batch * at.generate / s.total;
  time.at_once = counted.at_once;
  time.prompt_parts = counted.prompt;
  time.token_parts = counted.token;
  return time;
}

}  // namespace sextant::llm
