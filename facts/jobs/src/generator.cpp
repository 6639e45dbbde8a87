#include "sextant/jobs/generator.h"

#include <cmath>
#include <map>
#include <set>

#include "generator_check.h"
#include "generator_draws.h"

namespace sextant::jobs {
namespace {

// What a gang of some size may run: the models, and the speed of each on the reference type.
struct GangChoice {
  std::vector<std::int32_t> models;
  std::vector<double> speeds;  // steps/s; empty without a table
  WeightedDraw draw;
};

std::vector<ModelClass> classes_of(const Generator& generator, const ThroughputTable* table) {
  if (!generator.models.empty() || table == nullptr) return generator.models;
  std::vector<ModelClass> classes;
  std::set<std::string> seen;
  for (const ThroughputKey& key : table->keys()) {
    if (seen.insert(key.model).second) classes.push_back({.model = key.model});
  }
  return classes;
}

class Models {
 public:
  Models(const Generator& generator, const ThroughputTable* table)
      : reference_(generator.reference_type),
        at_(generator.at),
        table_(table),
        classes_(classes_of(generator, table)) {
    if (table_ != nullptr) type_ = reference_of(generator, *table_);
    for (const auto& [gpus, weight] : generator.gpus) {
      if (!classes_.empty() && weight > 0) add(generator.multi_gpu ? gpus : 1);
    }
  }

  [[nodiscard]] const GangChoice* of(std::int32_t gpus) const {
    const auto found = choices_.find(gpus);
    return found == choices_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ModelClass& each : classes_) names.push_back(each.model);
    return names;
  }

 private:
  void add(std::int32_t gpus) {
    std::vector<std::int32_t> models;
    std::vector<double> speeds;
    std::vector<double> weights;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if ((gpus > 1 && !classes_[i].distributed) || classes_[i].weight <= 0) continue;
      if (table_ != nullptr) {
        const auto key = table_->find_key(classes_[i].model, gpus);
        const double speed = key ? table_->alone(type_, *key) : 0;
        if (speed <= 0) continue;
        speeds.push_back(speed);
      }
      models.push_back(static_cast<std::int32_t>(i));
      weights.push_back(classes_[i].weight);
    }
    if (models.empty()) {
      throw InputError(at_,
                       "no model may run on " + std::to_string(gpus) + " GPUs of type '" + reference_ + "'",
                       "set other gpus, models or reference");
    }
    choices_.emplace(gpus, GangChoice{std::move(models), std::move(speeds), WeightedDraw(weights)});
  }

  std::string reference_;
  SourcePos at_;
  const ThroughputTable* table_;
  std::vector<ModelClass> classes_;
  std::size_t type_ = 0;
  std::map<std::int32_t, GangChoice> choices_;
};

// A value from a list, or the fallback where there is none; a number is drawn only for a list.
class ListDraw {
 public:
  ListDraw(const WeightedValues<double>& values, double fallback, Rng rng)
      : values_(values), fallback_(fallback), rng_(rng), draw_(draw_of(values)) {}
  double next() { return values_.empty() ? fallback_ : values_[draw_.at(rng_.uniform())].first; }

 private:
  const WeightedValues<double>& values_;
  double fallback_;
  Rng rng_;
  WeightedDraw draw_;
};

WeightedDraw user_draw(const Generator& generator) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < generator.users; ++i) {
    weights.push_back(std::pow(static_cast<double>(i + 1), -generator.user_skew));
  }
  return WeightedDraw(weights);
}

class JobMaker {
 public:
  JobMaker(const Generator& generator, const Rng& root, const ThroughputTable* table)
      : generator_(generator),
        models_(generator, table),
        users_(user_draw(generator)),
        gang_draw_(draw_of(generator.gpus)),
        gangs_(root.stream("gpus")),
        durations_(root.stream("duration")),
        model_(root.stream("model")),
        user_(root.stream("user")),
        estimates_(root.stream("estimate")),
        weights_(generator.weights, 1, root.stream("weight")),
        priorities_(generator.priorities, 0, root.stream("priority")),
        deadlines_(generator.deadlines, 0, root.stream("deadline")) {}

  [[nodiscard]] const Models& models() const { return models_; }

  void fill(TraceJob& job) {
    const std::int32_t gang = generator_.gpus[gang_draw_.at(gangs_.uniform())].first;
    job.gpus = generator_.multi_gpu ? gang : 1;
    const double duration = draw_duration(generator_.durations, job.gpus, durations_);
    job.work = duration;
    const double which = model_.uniform();
    if (const GangChoice* choice = models_.of(job.gpus)) {
      const std::size_t place = choice->draw.at(which);
      job.model = choice->models[place];
      if (!choice->speeds.empty()) job.work = std::max(1.0, std::floor(duration * choice->speeds[place]));
    }
    if (generator_.users > 0) job.user = static_cast<std::int32_t>(users_.at(user_.uniform()));
    job.weight = weights_.next();
    job.priority = priorities_.next();
    const double factor = deadlines_.next();
    if (factor > 0) job.deadline_s = job.arrival_s + factor * duration;
    if (generator_.estimate_sigma >= 0) {
      job.estimate_s = duration * std::exp(generator_.estimate_sigma * estimates_.normal());
    }
  }

 private:
  const Generator& generator_;
  Models models_;
  WeightedDraw users_;
  WeightedDraw gang_draw_;
  Rng gangs_, durations_, model_, user_, estimates_;
  ListDraw weights_, priorities_, deadlines_;
};

}  // namespace

Trace generate_trace(const Generator& generator, std::uint64_t seed, const ThroughputTable* table) {
  check_generator(generator);
  if (generator.exact) return generate_exactly(generator, seed, table);
  const Rng root = Rng(seed).stream("workload");
  JobMaker maker(generator, root, table);
  Trace trace{.source = generator.text, .format = "generated"};
  trace.unit = table != nullptr ? WorkUnit::steps : WorkUnit::reference_seconds;
  trace.models = maker.models().names();
  for (std::int64_t i = 0; i < generator.users; ++i) trace.users.push_back("user-" + std::to_string(i));
  trace.rows = generator.jobs;
  trace.notes.push_back("seed " + std::to_string(seed));
  const std::vector<double> arrivals = draw_arrivals(generator, root);
  trace.jobs.reserve(arrivals.size());
  for (const double arrival : arrivals) {
    TraceJob& job = trace.jobs.emplace_back();
    job.id = std::to_string(trace.jobs.size() - 1);
    job.arrival_s = arrival;
    maker.fill(job);
  }
  return trace;
}

}  // namespace sextant::jobs
