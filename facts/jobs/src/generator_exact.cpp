#include <cmath>

#include "generator_check.h"
#include "generator_draws.h"
#include "sextant/core/python_random.h"

namespace sextant::jobs {
namespace {

// Whatever Gavel's generator cannot do would change its draws.
void check_exact(const Generator& generator) {
  const Generator usual = generator_presets().get("gavel").make();
  const auto* law = std::get_if<TwoPartDurations>(&generator.durations);
  const bool same_models =
      std::ranges::equal(generator.models, usual.models, {}, &ModelClass::model, &ModelClass::model);
  const bool fine = std::holds_alternative<PoissonArrivals>(generator.arrivals) && law != nullptr &&
                    law->short_share == TwoPartDurations{}.short_share && generator.gpus == usual.gpus &&
                    same_models && generator.priorities.empty() && generator.deadlines.empty() &&
                    generator.users == 0 && generator.estimate_sigma < 0;
  if (fine) return;
  throw InputError(generator.at, "exact=1 repeats the draws of Gavel's generator, which has no such settings",
                   "with exact=1 set jobs, interarrival, multi-gpu, multi-priority and reference only");
}

std::int32_t gang(double u) {
  if (u < 0.7) return 1;
  if (u < 0.8) return 2;
  return u < 0.95 ? 4 : 8;
}

double seconds(PythonRandom& random) {
  const bool is_long = random.random() >= 0.8;
  return 60 * std::pow(10.0, is_long ? random.uniform(3, 4) : random.uniform(1.5, 3));
}

double steps(const ThroughputTable& table, std::size_t type, const ThroughputKey& wanted, double duration) {
  const auto key = table.find_key(wanted.model, wanted.gpus);
  const double speed = key ? table.alone(type, *key) : 0;
  if (speed > 0) return std::max(1.0, std::floor(duration * speed));
  throw InputError(at_field("throughputs"), "the table has no speed of '" + wanted.model + "' on " +
                                                std::to_string(wanted.gpus) + " GPUs of type '" +
                                                table.types()[type] + "'");
}

}  // namespace

Trace generate_exactly(const Generator& generator, std::uint64_t seed, const ThroughputTable* table) {
  check_exact(generator);
  const std::size_t type = table != nullptr ? reference_of(generator, *table) : 0;
  PythonRandom random(seed + 2);
  PythonRandom gaps(seed + 3);
  Trace trace{.source = generator.text, .format = "generated"};
  trace.unit = table != nullptr ? WorkUnit::steps : WorkUnit::reference_seconds;
  for (const ModelClass& each : generator.models) trace.models.push_back(each.model);
  trace.rows = generator.jobs;
  trace.notes.push_back("seed " + std::to_string(seed) + ", the draws of Gavel's generator");
  trace.jobs.reserve(static_cast<std::size_t>(generator.jobs));
  double arrival = 0;
  for (std::int64_t i = 0; i < generator.jobs; ++i) {
    if (i > 0) arrival += -std::log(1.0 - gaps.random()) * generator.interarrival_s;
    TraceJob job{.id = std::to_string(i), .arrival_s = arrival};
    job.gpus = gang(random.uniform(0, 1));
    job.work = seconds(random);
    if (!generator.multi_gpu) job.gpus = 1;
    std::size_t model = 0;
    do {
      model = static_cast<std::size_t>(random.below(generator.models.size()));
    } while (job.gpus > 1 && !generator.models[model].distributed);
    job.model = static_cast<std::int32_t>(model);
    if (table != nullptr) job.work = steps(*table, type, {trace.models[model], job.gpus}, job.work);
    if (!generator.weights.empty() && random.uniform(0, 1) <= 0.2) job.weight = 5;
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

}  // namespace sextant::jobs
