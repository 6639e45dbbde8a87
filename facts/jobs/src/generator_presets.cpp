#include "sextant/jobs/generator.h"

namespace sextant::jobs {
namespace {

void add_models(std::vector<ModelClass>& models, const std::string& name, std::initializer_list<int> batches,
                bool distributed) {
  for (const int batch : batches) {
    models.push_back(
        {.model = name + " (batch size " + std::to_string(batch) + ")", .distributed = distributed});
  }
}

// The 26 kinds of jobs of Gavel's evaluation, in the order in which its generator counts them.
std::vector<ModelClass> gavel_models() {
  std::vector<ModelClass> models;
  add_models(models, "ResNet-18", {16, 32, 64, 128, 256}, true);
  add_models(models, "ResNet-50", {16, 32, 64, 128}, true);
  add_models(models, "Transformer", {16, 32, 64, 128, 256}, true);
  add_models(models, "LM", {5, 10, 20, 40, 80}, true);
  add_models(models, "Recommendation", {512, 1024, 2048, 4096, 8192}, false);
  models.push_back({.model = "A3C", .distributed = false});
  models.push_back({.model = "CycleGAN", .distributed = false});
  return models;
}

Generator gavel() {
  Generator g;
  g.gpus = {{1, 0.70}, {2, 0.10}, {4, 0.15}, {8, 0.05}};
  g.multi_gpu = false;
  g.models = gavel_models();
  return g;
}

// Gangs, mean gap, and mean and deviation of the logarithm of durations as in the public table of Philly's
// jobs; the lengths of its bursts are a guess.
Generator philly() {
  Generator g;
  g.preset = g.text = "philly";
  g.interarrival_s = 145;
  g.arrivals = BurstArrivals{.factor = 10, .burst_s = 3600, .calm_s = 6 * 3600};
  g.durations = LognormalDurations{.median_s = 760, .sigma = 2.25};
  g.gpus = {{1, 0.930},   {2, 0.0275},  {4, 0.0216},  {8, 0.0176},
            {16, 0.0021}, {32, 0.0010}, {64, 0.0001}, {128, 0.0001}};
  g.users = 13;
  g.user_skew = 2;
  return g;
}

// What queueing formulas are about: for checks against them.
Generator markov() {
  Generator g;
  g.preset = g.text = "markov";
  g.durations = ExponentialDurations{.mean_s = 3600};
  return g;
}

}  // namespace

const Registry<GeneratorPreset>& generator_presets() {
  static const Registry<GeneratorPreset> registry(
      "preset of the generator",
      {{{.id = "gavel",
         .summary = "Poisson, durations in two parts from half an hour to a week, 26 models on one GPU each",
         .reference = "Narayanan et al., OSDI 2020"},
        {},
        gavel},
       {{.id = "philly",
         .summary = "bursts, heavy-tailed durations, gangs of 1 to 128 GPUs, 13 virtual clusters",
         .reference = "Jeon et al., USENIX ATC 2019"},
        {},
        philly},
       {{.id = "markov",
         .summary = "Poisson, exponential durations, one GPU: M/M/c",
         .reference = "docs/models/queueing.md"},
        {"mmc"},
        markov}});
  return registry;
}

}  // namespace sextant::jobs
