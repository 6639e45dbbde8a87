#include "sextant/simulate/job_set.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sextant::simulate {
namespace {

// Jobs that are alike in all of these run alike.
using ClassKey = std::tuple<std::int32_t, std::int32_t, std::vector<std::string>>;  // model, gpus, types

class JobSetBuilder {
 public:
  JobSetBuilder(const jobs::Trace& trace, const clusters::Cluster& cluster, const JobSetOptions& options)
      : trace_(trace), cluster_(cluster), options_(options) {}

  JobSet build() {
    if (options_.plan_by_limits) find_longest_limit();
    set_.jobs.reserve(trace_.jobs.size());
    for (std::size_t i = 0; i < trace_.jobs.size(); ++i) add(static_cast<std::int32_t>(i));
    if (options_.pairs && options_.speeds != nullptr) add_pairs();
    return std::move(set_);
  }

 private:
  void add(std::int32_t source) {
    const jobs::TraceJob& job = trace_.jobs[static_cast<std::size_t>(source)];
    const std::int32_t cls = class_of(job);
    const std::optional<Refusal>& why = refusals_[static_cast<std::size_t>(cls)];
    if (why) {
      set_.refused.push_back({.source = source, .kind = why->kind, .reason = why->reason});
      return;
    }
    const double stretch = 1 / options_.load;
    const bool due = std::isfinite(job.deadline_s);
    set_.jobs.push_back({.arrival = Seconds{job.arrival_s * stretch},
                         .work = options_.estimates ? estimate_of(job) : job.work,
                         .planned = options_.plan_by_limits ? planned_work(job) : 0,
                         // The time that a job is given stays; only its arrival moves.
                         .deadline = Seconds{due ? job.arrival_s * stretch + (job.deadline_s - job.arrival_s)
                                                 : job.deadline_s},
                         .weight = job.weight,
                         .priority = job.priority,
                         .cpus = job.cpus,
                         .memory_gib = job.memory_gib,
                         .gpus = job.gpus,
                         .user = job.user,
                         .cls = cls,
                         .source = source});
  }

  void find_longest_limit() {
    for (const jobs::TraceJob& job : trace_.jobs) longest_limit_ = std::max(longest_limit_, job.estimate_s);
    if (longest_limit_ > 0) return;
    throw InputError({trace_.source}, "no job states a time limit to plan by",
                     "Slurm's is Timelimit; in Sextant's own traces the column is estimate_s");
  }

  // A job that outran its limit, as some do by seconds, was allowed the time that it took.
  [[nodiscard]] double planned_work(const jobs::TraceJob& job) const {
    return std::max(job.estimate_s > 0 ? job.estimate_s : longest_limit_, job.work);
  }

  [[nodiscard]] double estimate_of(const jobs::TraceJob& job) const {
    if (job.estimate_s > 0) return job.estimate_s;
    throw InputError({trace_.source, static_cast<int>(job.line), 1},
                     "job " + job.id + " states no run time to take instead of its steps");
  }

  std::int32_t class_of(const jobs::TraceJob& job) {
    if (last_ != nullptr && last_->model == job.model && last_->gpus == job.gpus && last_->types == job.types)
      return last_class_;
    const auto [it, fresh] = classes_.try_emplace({job.model, job.gpus, job.types},
                                                  static_cast<std::int32_t>(set_.classes.size()));
    if (fresh) add_class(job);
    last_ = &job;
    last_class_ = it->second;
    return it->second;
  }

  void add_class(const jobs::TraceJob& job) {
    JobClass cls{.gpus = job.gpus};
    for (const clusters::Pool& pool : cluster_.pools) {
      cls.rate.push_back(pool.speed);
      cls.across_nodes.push_back(pool.across_nodes);
      cls.across_racks.push_back(pool.across_racks);
    }
    std::optional<Refusal> refusal = restrict_to_pools(job, cls);
    // Speeds of what is too large anyway need not be known.
    if (options_.speeds != nullptr && !refusal) {
      const std::optional<Refusal> nowhere = fill_speeds(job, cls);
      refusal = restrict_to_pools(job, cls);
      if (refusal && nowhere) refusal = nowhere;
    }
    refusals_.push_back(std::move(refusal));
    models_.push_back(job.model);
    set_.classes.push_back(std::move(cls));
  }

  std::optional<Refusal> fill_speeds(const jobs::TraceJob& job, JobClass& cls) const {
    const SourcePos at{trace_.source, static_cast<int>(job.line), job.line > 0 ? 1 : 0};
    if (job.model < 0 && !options_.speeds->needs_model()) return std::nullopt;
    if (job.model < 0) throw InputError(at, "the job names no model, and speeds are looked up by model");
    try {
      return options_.speeds->fill(trace_.models[static_cast<std::size_t>(job.model)], cls);
    } catch (const InputError& error) {
      throw InputError(at, error.message(), error.hint());
    }
  }

  // Zero on types that the job may not use or that are too small; the reason where nothing is left.
  [[nodiscard]] std::optional<Refusal> restrict_to_pools(const jobs::TraceJob& job, JobClass& cls) const {
    std::int64_t largest = 0;
    bool allowed = false;
    bool large_enough = false;
    for (std::size_t t = 0; t < cluster_.pools.size(); ++t) {
      const clusters::Pool& pool = cluster_.pools[t];
      if (!may_use(job, pool.type)) {
        cls.rate[t] = 0;
        continue;
      }
      allowed = true;
      largest = std::max(largest, pool.gpus);
      if (pool.gpus < job.gpus)
        cls.rate[t] = 0;
      else
        large_enough = true;
    }
    if (!allowed) {
      return Refusal{RefusalKind::type,
                     "may use only " + join(job.types, ", ") + ", which the cluster does not have"};
    }
    if (!large_enough) {
      return Refusal{RefusalKind::gpus, "asks for " + std::to_string(job.gpus) +
                                            " GPUs; the largest pool that it may use has " +
                                            std::to_string(largest)};
    }
    if (std::ranges::any_of(cls.rate, [](double rate) { return rate > 0; })) return std::nullopt;
    return Refusal{RefusalKind::speed, "has no speed above zero, or none that is known, on any type with " +
                                           std::to_string(job.gpus) + " GPUs"};
  }

  static bool may_use(const jobs::TraceJob& job, const std::string& type) {
    if (job.types.empty()) return true;
    return std::ranges::any_of(job.types,
                               [&](const std::string& t) { return fold_name(t) == fold_name(type); });
  }

  void add_pairs() {
    const auto count = static_cast<std::int32_t>(set_.classes.size());
    for (std::int32_t a = 0; a < count; ++a) {
      for (std::int32_t b = 0; b < count; ++b) add_pair(a, b);
    }
  }

  void add_pair(std::int32_t a, std::int32_t b) {
    const auto first = static_cast<std::size_t>(a);
    const auto second = static_cast<std::size_t>(b);
    const std::int32_t gpus = set_.classes[first].gpus;
    if (models_[first] < 0 || models_[second] < 0) return;
    if (gpus != set_.classes[second].gpus || refusals_[first] || refusals_[second]) return;
    PairOfClasses pair;
    if (!options_.speeds->fill_pair(model_of(first), model_of(second), gpus, pair)) return;
    for (std::size_t t = 0; t < cluster_.pools.size(); ++t) {
      if (set_.classes[first].rate[t] > 0 && set_.classes[second].rate[t] > 0) continue;
      pair.first_rate[t] = pair.second_rate[t] = 0;
    }
    set_.pairs.emplace(JobSet::pair_key(a, b), std::move(pair));
  }

  [[nodiscard]] const std::string& model_of(std::size_t cls) const {
    return trace_.models[static_cast<std::size_t>(models_[cls])];
  }

  const jobs::Trace& trace_;
  const clusters::Cluster& cluster_;
  const JobSetOptions& options_;
  JobSet set_;
  std::map<ClassKey, std::int32_t> classes_;
  std::vector<std::optional<Refusal>> refusals_;  // by class; none: it can run
  std::vector<std::int32_t> models_;              // by class
  double longest_limit_ = 0;                      // s
  const jobs::TraceJob* last_ = nullptr;  // most jobs are like their predecessor's kind: saves the look-up
  std::int32_t last_class_ = 0;
};

}  // namespace

JobSet make_job_set(const jobs::Trace& trace, const clusters::Cluster& cluster,
                    const JobSetOptions& options) {
  if (trace.unit == jobs::WorkUnit::steps && options.speeds == nullptr && !options.estimates) {
    throw InputError({trace.source}, "the jobs are given in steps, so their speeds must be known",
                     "give `throughputs` FILE, or `predict`, or `estimates`");
  }
  if (trace.unit == jobs::WorkUnit::steps && options.plan_by_limits) {
    throw InputError({trace.source}, "the jobs are given in steps, which no time limit can be compared with",
                     "leave `plan_by` out");
  }
  return JobSetBuilder(trace, cluster, options).build();
}

}  // namespace sextant::simulate
