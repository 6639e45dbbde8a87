#include "slurm_job.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sextant/core/text.h"
#include "trace_csv.h"

namespace sextant::jobs {
namespace {

constexpr double kMibPerGib = 1024;
constexpr double kMostGib = 1e12;  // above any cluster

bool is_one_of(const std::string& state, std::initializer_list<std::string_view> states) {
  return std::ranges::find(states, state) != states.end();
}

// "64G" in GiB; Slurm's K, M, G and T count in steps of 1024, and a bare number is MiB.
std::optional<double> slurm_gib(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  double gib = 1 / kMibPerGib;
  if (!text.empty()) {
    const std::size_t unit = kUnits.find(text.back());
    if (unit != std::string_view::npos) {
      gib = std::pow(kMibPerGib, static_cast<double>(unit) - 2);
      text.remove_suffix(1);
    }
  }
  const auto value = to_number(text);
  if (!value || !(*value >= 0 && *value * gib <= kMostGib)) return std::nullopt;
  return *value * gib;
}

}  // namespace

std::optional<double> SlurmResources::all_gpus() const {
  if (gpus) return gpus;
  return gpu_types.empty() ? std::nullopt : std::optional(typed_gpus);
}

void SlurmResources::add(const std::string& type, const std::string& name, double count) {
  if (type == "cpu") cpus = count;
  if (type != "gres") return;
  if (name == "gpu") gpus = count;
  if (!name.starts_with("gpu:")) return;
  gpu_types.push_back(name.substr(4));
  typed_gpus += count;
}

SlurmResources parse_slurm_resources(std::string_view text, const SourcePos& at) {
  SlurmResources resources;
  if (trim(text).empty()) return resources;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (equals == std::string::npos || key.empty()) {
      throw InputError(at, "'" + part + "' is no resource", "as in cpu=8,gres/gpu=2,mem=64G");
    }
    if (key == "mem") {
      const auto gib = slurm_gib(value);
      if (!gib) throw InputError(at, "'" + value + "' is no size of memory", "as in 64G");
      resources.memory_gib = *gib;
      continue;
    }
    const std::size_t slash = key.find('/');
    const bool counts = key == "cpu" || key == "gres/gpu" || key.starts_with("gres/gpu:");
    if (!counts) continue;
    const auto count = to_number(value);
    if (!count || !(*count >= 0 && *count <= kMostTraceGpus) || *count != std::floor(*count)) {
      throw InputError(at, "'" + part + "' is no number of " + (key == "cpu" ? "CPUs" : "GPUs"),
                       "a whole number up to 1e6");
    }
    resources.add(key.substr(0, slash), slash == std::string::npos ? "" : key.substr(slash + 1), *count);
  }
  return resources;
}

SlurmTrace::SlurmTrace(const std::string& file, bool keep_types)
    : builder_(file, "sacct", WorkUnit::reference_seconds), keep_types_(keep_types) {}

void SlurmTrace::skip_step() {
  builder_.row();
  builder_.drop(kStepOfJob);
}

void SlurmTrace::add(const SlurmJob& job) {
  builder_.row();
  if (!job.submit_s) return builder_.drop(kNoSubmission);
  if (!job.started || job.state == "PENDING") return builder_.drop(kNeverStarted);
  if (!job.ended || is_one_of(job.state, {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING"}))
    return builder_.drop(kStillRunning);
  const double gpus = job.allocated.all_gpus().value_or(job.requested.all_gpus().value_or(0));
  if (!(gpus > 0)) return builder_.drop(kWithoutGpu);
  if (job.elapsed_s < 0) return builder_.drop(kEndsTooEarly);
  if (!(job.elapsed_s > 0)) return builder_.drop(kNoRunTime);
  const SlurmResources& held = job.allocated.all_gpus() ? job.allocated : job.requested;
  TraceJob made{.id = job.id, .arrival_s = *job.submit_s, .gpus = static_cast<std::int32_t>(gpus)};
  made.work = job.elapsed_s;
  made.start_s = job.start_s;
  made.estimate_s = job.limit_s;
  made.cpus = held.cpus;
  made.memory_gib = held.memory_gib;
  made.line = job.at.line;
  if (!job.user.empty()) made.user = builder_.user(job.user);
  if (keep_types_) made.types = job.requested.gpu_types;
  types_left_out_ = types_left_out_ || (!keep_types_ && !job.requested.gpu_types.empty());
  builder_.add(std::move(made));
}

Trace SlurmTrace::take() {
  builder_.sort_from_zero();
  builder_.note(
      "the work of a job is the time that it ran, whatever type of GPU it had; jobs that failed, were "
      "cancelled or ran into their time limit count with the time they ran");
  if (types_left_out_) {
    builder_.note(
        "jobs may use any type of GPU; with `trace_format` sacct:types=1 only the types that they asked for");
  }
  return builder_.take();
}

}  // namespace sextant::jobs
