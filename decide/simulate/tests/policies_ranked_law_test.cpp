// The dispatcher of ranked policies against the same rule written without buckets, heaps or timers: sort all,
// take in order. On random jobs both give the same run.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine_scripts.h"
#include "engine_support.h"
#include "sextant/core/rng.h"
#include "sextant/schedule/ranked.h"

namespace sextant::simulate {
namespace {

struct PlainOptions {
  bool preempts = false;
  bool blocks = false;
  std::function<double(const schedule::JobView&, double now_s)> value = {};
};

// One type. Keeps the set of active jobs and sorts it at every decision.
class PlainQueue {
 public:
  explicit PlainQueue(PlainOptions options) : options_(std::move(options)) {}

  void decide(const schedule::ClusterView& view, schedule::Decision& out) {
    stopped_.clear();
    for (const schedule::JobSlot slot : view.arrived) active_.push_back(slot);
    for (const schedule::JobSlot slot : view.ended) std::erase(active_, slot);
    std::vector<schedule::JobSlot> waiting;
    std::vector<schedule::JobSlot> running;
    for (const schedule::JobSlot slot : active_) (view.jobs[slot].runs() ? running : waiting).push_back(slot);
    sort(waiting, view);
    sort(running, view);
    std::int64_t free = view.types[0].free;
    std::vector<std::int32_t> failed;  // numbers of GPUs
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const schedule::JobSlot slot = waiting[i];
      const schedule::JobView& job = view.jobs[slot];
      if (std::ranges::find(failed, job.gpus) != failed.end()) continue;
      if (job.gpus > free && options_.preempts) free += stop_for(slot, free, running, view, out, waiting);
      if (job.gpus <= free) {
        out.start.push_back({.job = slot, .type = 0});
        free -= job.gpus;
        continue;
      }
      if (options_.blocks) return;
      failed.push_back(job.gpus);
    }
  }

 private:
  // Of a job that this decision stopped, as one that waits.
  [[nodiscard]] double value_of(schedule::JobSlot slot, const schedule::ClusterView& view) const {
    schedule::JobView job = view.jobs[slot];
    if (std::ranges::find(stopped_, slot) != stopped_.end()) {
      job.remaining = job.remaining_at(view.now_s);
      job.type = -1;
    }
    return options_.value(job, view.now_s);
  }

  [[nodiscard]] double value_if_it_ran(schedule::JobSlot slot, const schedule::ClusterView& view) const {
    schedule::JobView job = view.jobs[slot];
    const auto pace = pace_.find(job.id);
    job.remaining = job.remaining_at(view.now_s);
    job.since_s = job.productive_s = view.now_s;
    job.type = 0;
    job.speed = job.rate[0] * (pace == pace_.end() ? 1 : pace->second);
    return options_.value(job, view.now_s);
  }

  void sort(std::vector<schedule::JobSlot>& slots, const schedule::ClusterView& view) const {
    std::ranges::sort(slots, [&](schedule::JobSlot a, schedule::JobSlot b) {
      const double x = value_of(a, view);
      const double y = value_of(b, view);
      return x != y ? x < y : view.jobs[a].id < view.jobs[b].id;
    });
  }

  std::int64_t stop_for(schedule::JobSlot slot, std::int64_t free, std::vector<schedule::JobSlot>& running,
                        const schedule::ClusterView& view, schedule::Decision& out,
                        std::vector<schedule::JobSlot>& waiting) {
    const double mine = value_if_it_ran(slot, view);
    std::int64_t missing = view.jobs[slot].gpus - free;
    std::vector<schedule::JobSlot> victims;
    for (auto it = running.rbegin(); it != running.rend() && missing > 0; ++it) {
      if (value_of(*it, view) <= mine + 1e-6) break;
      victims.push_back(*it);
      missing -= view.jobs[*it].gpus;
    }
    if (missing > 0) return 0;
    // The smallest that are not needed stay; among equals, those that rank better.
    std::ranges::reverse(victims);
    std::ranges::stable_sort(victims, {}, [&](schedule::JobSlot v) { return view.jobs[v].gpus; });
    std::int64_t surplus = -missing;
    std::erase_if(victims, [&](schedule::JobSlot v) {
      if (view.jobs[v].gpus > surplus) return false;
      surplus -= view.jobs[v].gpus;
      return true;
    });
    std::int64_t freed = 0;
    for (const schedule::JobSlot victim : victims) {
      out.stop.push_back(victim);
      stopped_.push_back(victim);
      pace_[view.jobs[victim].id] = view.jobs[victim].speed / view.jobs[victim].rate[0];
      std::erase(running, victim);
      freed += view.jobs[victim].gpus;
      // It waits from now on; all before it in the order have been served or have failed.
      waiting.push_back(victim);
    }
    const auto next = std::ranges::find(waiting, slot) + 1;
    std::vector<schedule::JobSlot> rest(next, waiting.end());
    sort(rest, view);
    std::ranges::copy(rest, next);
    return freed;
  }

  PlainOptions options_;
  std::vector<schedule::JobSlot> active_;
  std::vector<schedule::JobSlot> stopped_;  // in this decision
  std::map<std::int64_t, double> pace_;     // of jobs that were stopped, when they ran, relative to one node
};

JobSet random_set(const clusters::Cluster& cluster, std::uint64_t seed) {
  Rng rng = Rng(seed).stream("ranked");
  std::vector<HandJob> list;
  double now = 0;
  for (int i = 0; i < 120; ++i) {
    now += rng.exponential(10);
    HandJob job{.arrival_s = now};
    job.work = 1 + rng.exponential(60);
    job.gpus = static_cast<std::int32_t>(1 + rng.below(6));
    job.priority = static_cast<double>(rng.below(4));
    list.push_back(job);
  }
  return hand_jobs(cluster, list);
}

void expect_same(const std::string& policy, const PlainOptions& plain) {
  const clusters::Cluster cluster =
      hand_cluster({{.type = "gpu", .gpus = 16, .per_node = 4, .across_nodes = 0.7}});
  std::int64_t stops = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const JobSet set = random_set(cluster, seed);
    auto queue = std::make_shared<PlainQueue>(plain);
    const RunResult expected = run_script(
        set, cluster, {.script = [queue](const schedule::ClusterView& view, schedule::Decision& out) {
          queue->decide(view, out);
        }});
    const RunResult run = simulate(set, cluster, with_policy(policy));
    for (std::size_t i = 0; i < run.jobs.size(); ++i) {
      ASSERT_NEAR(run.jobs[i].completion.value, expected.jobs[i].completion.value, 1e-6)
          << policy << ", seed " << seed << ", job " << i;
      ASSERT_EQ(run.jobs[i].preemptions, expected.jobs[i].preemptions);
      stops += run.jobs[i].preemptions;
    }
  }
  EXPECT_EQ(stops > 0, plain.preempts);  // otherwise nothing was compared
}

double arrival(const schedule::JobView& job, double /*now_s*/) {
  return job.arrival_s;
}

TEST(RankedLaw, Fifo) {
  expect_same("fifo", {.blocks = true, .value = arrival});
}

TEST(RankedLaw, FifoSkip) {
  expect_same("fifo-skip", {.value = arrival});
}

TEST(RankedLaw, Sjf) {
  expect_same("sjf", {.value = [](const schedule::JobView& job, double) { return job.work; }});
  expect_same("sjf:gpus=1",
              {.value = [](const schedule::JobView& job, double) { return job.work * job.gpus; }});
}

TEST(RankedLaw, Srtf) {
  const auto remaining = [](const schedule::JobView& job, double now_s) {
    return job.remaining_at(now_s) / (job.runs() ? job.speed : 1.0);
  };
  expect_same("srtf:move=inf", {.preempts = true, .value = remaining});
  expect_same("srtf:gpus=1:move=inf",
              {.preempts = true, .value = [remaining](const schedule::JobView& job, double now_s) {
                 return job.gpus * remaining(job, now_s);
               }});
}

TEST(RankedLaw, PriorityWithAge) {
  expect_same("priority:age=30:preempt=1",
              {.preempts = true, .value = [](const schedule::JobView& job, double now_s) {
                 return -job.priority - (now_s - job.arrival_s) / 30;
               }});
}

}  // namespace
}  // namespace sextant::simulate
