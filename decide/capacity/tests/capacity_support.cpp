#include "capacity_support.h"

#include <algorithm>
#include <string>

#include "sextant/core/rng.h"

namespace sextant::capacity {
namespace {

struct HandJob {
  std::string id;
  double k80[2];  // hours on one and two GPUs
  double m60[2];
  double due_h;
  double usd_h;
};

const std::vector<HandJob> kHandJobs = {{"1", {4.0, 2.2}, {2.4, 1.6}, 2.5, 2},
                                        {"2", {2.0, 1.2}, {1.5, 1.0}, 2.0, 1},
                                        {"3", {6.0, 3.4}, {4.0, 2.5}, 3.5, 1.5}};

Seconds hours(double count) {
  return count * kHour;
}

}  // namespace

Snapshot small_instance(const SmallInstance& wanted) {
  Snapshot snapshot;
  snapshot.types = {{.name = "A", .gpu = "K80", .gpus = 2, .hour_price = Dollars{1.13}},
                    {.name = "B", .gpu = "M60", .gpus = 2, .hour_price = Dollars{1.24}}};
  if (wanted.third) {
    snapshot.types.push_back({.name = "C", .gpu = "K80", .gpus = 1, .hour_price = Dollars{0.56}});
  }
  snapshot.nodes.resize(static_cast<std::size_t>(wanted.nodes));
  for (std::size_t i = 0; i < (wanted.third ? 3U : 2U); ++i) {
    const HandJob& hand = kHandJobs[i];
    JobState job{.id = hand.id, .due = hours(hand.due_h), .tardiness = Dollars{hand.usd_h} / kHour};
    job.options = {{.type = 0, .gpus = 1, .time = hours(hand.k80[0])},
                   {.type = 0, .gpus = 2, .time = hours(hand.k80[1])},
                   {.type = 1, .gpus = 1, .time = hours(hand.m60[0])},
                   {.type = 1, .gpus = 2, .time = hours(hand.m60[1])}};
    if (wanted.third) job.options.push_back({.type = 2, .gpus = 1, .time = hours(hand.k80[0])});
    snapshot.jobs.push_back(std::move(job));
  }
  snapshot.wishes.period = kHour;
  snapshot.wishes.postponement = wanted.rho;
  snapshot.wishes.cost = wanted.cost;
  return snapshot;
}

Snapshot random_instance(std::uint64_t seed) {
  Rng rng = Rng(seed).stream("instance");
  Snapshot snapshot;
  snapshot.types = {{.name = "small", .gpu = "K80", .gpus = 1, .hour_price = Dollars{0.6}},
                    {.name = "large", .gpu = "K80", .gpus = 4, .hour_price = Dollars{2.3}},
                    {.name = "other", .gpu = "M60", .gpus = 2, .hour_price = Dollars{1.3}}};
  const std::uint64_t nodes = 1 + rng.below(3);
  const std::uint64_t jobs = 1 + rng.below(4);
  snapshot.nodes.resize(nodes);
  if (rng.uniform() < 0.3) snapshot.nodes.front().only = 1;
  for (std::uint64_t j = 0; j < jobs; ++j) {
    const double work = 1 + 9 * rng.uniform();
    const double gain = 0.5 + 0.5 * rng.uniform();
    const double due = work * (0.2 + 1.5 * rng.uniform());
    JobState job{.id = "j" + std::to_string(j), .due = hours(due)};
    job.tardiness = Dollars{0.5 + 4 * rng.uniform()} / kHour;
    for (std::int32_t type = 0; type < 3; ++type) {
      const std::int32_t most = snapshot.types[static_cast<std::size_t>(type)].gpus;
      for (std::int32_t gpus = 1; gpus <= most; ++gpus) {
        const double speed = (1 + gain * (gpus - 1)) * (type == 2 ? 1.2 : 1.0);
        job.options.push_back({.type = type, .gpus = gpus, .time = hours(work / speed), .spread = 0.1});
      }
    }
    job.restart = Seconds{120};
    if (rng.uniform() < 0.2) job.nodes = {static_cast<std::int32_t>(rng.below(nodes))};
    snapshot.jobs.push_back(std::move(job));
  }
  snapshot.wishes.period = kHour;
  return snapshot;
}

std::unique_ptr<Method> method_of(std::string_view text, std::uint64_t seed) {
  const MethodChoice choice = parse_method(text);
  return choice.method->make({.parameters = choice.parameters, .seed = seed});
}

double cost_of_run(Snapshot snapshot, std::string_view text) {
  const std::unique_ptr<Method> method = method_of(text);
  double usd = 0;
  while (!snapshot.jobs.empty()) {
    const Decision decision = method->decide(snapshot);
    if (decision.run.empty()) return std::numeric_limits<double>::infinity();
    double next = std::numeric_limits<double>::infinity();
    for (const Assignment& a : decision.run) {
      const JobState& job = snapshot.jobs[static_cast<std::size_t>(a.job)];
      next = std::min(next, job.options[static_cast<std::size_t>(a.option)].time.value);
    }
    for (const std::int32_t type : decision.nodes) {
      if (type != kNone) usd += snapshot.types[static_cast<std::size_t>(type)].hour_price.value * next / 3600;
    }
    snapshot.now += Seconds{next};
    for (JobState& job : snapshot.jobs) job.running = kNone;
    std::vector<JobState> left;
    for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
      JobState job = snapshot.jobs[j];
      for (const Assignment& a : decision.run) {
        if (a.job != static_cast<std::int32_t>(j)) continue;
        const double done = next / job.options[static_cast<std::size_t>(a.option)].time.value;
        for (JobOption& option : job.options) option.time = option.time * (1 - done);
        job.running = a.option;
        job.shares = a.shares;
        if (done < 1 - 1e-9) continue;
        usd += job.tardiness.value * std::max(0.0, (snapshot.now - job.due).value);
        job.options.clear();
      }
      if (!job.options.empty()) left.push_back(std::move(job));
    }
    snapshot.jobs = std::move(left);
  }
  return usd;
}

}  // namespace sextant::capacity
