// The contract of scheduling policies, over the whole registry: every run keeps its books (simulate() throws
// where it does not), gives the same bytes again, ends every job of a small trace, and copes with nothing and
// with little.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include "engine_support.h"
#include "sextant/core/rng.h"

namespace sextant::simulate {
namespace {

struct RandomTrace {
  std::uint64_t seed = 0;
  int jobs = 40;
};

clusters::Cluster two_types() {
  return hand_cluster(
      {{.type = "fast", .gpus = 8, .per_node = 4, .across_nodes = 0.8, .hour_price = Dollars{3}},
       {.type = "slow", .gpus = 12, .per_node = 4, .speed = 0.5, .hour_price = Dollars{1}}});
}

JobSet random_jobs(const clusters::Cluster& cluster, const RandomTrace& trace) {
  Rng rng = Rng(trace.seed).stream("policies");
  std::vector<HandJob> list;
  double now = 0;
  for (int i = 0; i < trace.jobs; ++i) {
    now += rng.exponential(120);
    HandJob job{.arrival_s = now};
    job.work = 30 + rng.exponential(900);
    job.gpus = 1 << rng.below(4);
    job.priority = static_cast<double>(rng.below(3));
    if (rng.uniform() < 0.5) job.deadline_s = now + 4 * job.work;
    list.push_back(job);
  }
  JobSet set = hand_jobs(cluster, list);
  for (std::size_t i = 0; i < set.jobs.size(); ++i) set.jobs[i].user = static_cast<std::int32_t>(i % 3);
  for (std::int32_t a = 0; a < std::ssize(set.classes); ++a) {
    PairOfClasses pair;
    for (const double rate : set.classes[static_cast<std::size_t>(a)].rate) {
      pair.first_rate.push_back(0.7 * rate);
      pair.second_rate.push_back(0.7 * rate);
    }
    set.pairs.emplace(JobSet::pair_key(a, a), pair);
  }
  return set;
}

class EveryPolicy : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    options_ = with_policy(GetParam());
    if (options_.policy.policy->queue == nullptr) options_.mechanism = "rounds";
  }

  RunOptions options_ = {.policy = {}};
};

bool same_bytes(const RunResult& a, const RunResult& b) {
  if (a.jobs.size() != b.jobs.size() || a.events != b.events || a.decisions != b.decisions) return false;
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    const JobOutcome& x = a.jobs[i];
    const JobOutcome& y = b.jobs[i];
    if (!same(x.start.value, y.start.value) || !same(x.completion.value, y.completion.value) ||
        !same(x.executed.value, y.executed.value) || x.preemptions != y.preemptions || x.type != y.type) {
      return false;
    }
  }
  return true;
}

TEST_P(EveryPolicy, NobodyStarvesAndTheBooksBalance) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const clusters::Cluster cluster = two_types();
    const JobSet set = random_jobs(cluster, {.seed = seed});
    const RunResult run = simulate(set, cluster, options_);
    for (std::size_t i = 0; i < run.jobs.size(); ++i) {
      EXPECT_EQ(run.jobs[i].end, JobEnd::completed) << "seed " << seed << ", job " << i;
    }
  }
}

TEST_P(EveryPolicy, Deterministic) {
  const clusters::Cluster cluster = two_types();
  const JobSet set = random_jobs(cluster, {.seed = 17});
  EXPECT_TRUE(same_bytes(simulate(set, cluster, options_), simulate(set, cluster, options_)));
}

// Told of four times the run times, a policy that does not look at them decides as before, and every job
// still runs for its own time.
TEST_P(EveryPolicy, SeesRunTimesOnlyIfItSaysSo) {
  const clusters::Cluster cluster = two_types();
  const JobSet exact = random_jobs(cluster, {.seed = 29, .jobs = 60});
  JobSet limits = exact;
  Rng rng = Rng(29).stream("limits");
  for (SimJob& job : limits.jobs) job.planned = job.work * static_cast<double>(1 + rng.below(8));
  const RunResult told = simulate(exact, cluster, options_);
  const RunResult planned = simulate(limits, cluster, options_);
  double apart_s = 0;
  for (std::size_t i = 0; i < told.jobs.size(); ++i) {
    EXPECT_EQ(planned.jobs[i].end, JobEnd::completed);
    apart_s = std::max(apart_s, std::abs((told.jobs[i].completion - planned.jobs[i].completion).value));
  }
  if (!sees_run_times(options_.policy)) {
    EXPECT_LT(apart_s, 1e-5) << "it looks at run times: set sees_run_times";
  }
}

TEST_P(EveryPolicy, WithRestartsAndCrashes) {
  const clusters::Cluster cluster = two_types();
  const JobSet set = random_jobs(cluster, {.seed = 3});
  options_.startup = Seconds{5};
  options_.restart = Seconds{20};
  options_.faults = {"crash:mtbf=3h:mttr=5min"};
  options_.checkpoint = {.rule = CheckpointRule::fixed, .every = Seconds{300}, .cost = Seconds{3}};
  const RunResult run = simulate(set, cluster, options_);
  for (const JobOutcome& job : run.jobs) EXPECT_EQ(job.end, JobEnd::completed);
  EXPECT_TRUE(same_bytes(run, simulate(set, cluster, options_)));
}

TEST_P(EveryPolicy, InRoundsToo) {
  const clusters::Cluster cluster = two_types();
  const JobSet set = random_jobs(cluster, {.seed = 8});
  options_.mechanism = "rounds";
  options_.round = Seconds{60};
  const RunResult run = simulate(set, cluster, options_);
  for (const JobOutcome& job : run.jobs) EXPECT_EQ(job.end, JobEnd::completed);
  EXPECT_GT(run.rounds, 10U);
}

TEST_P(EveryPolicy, NoJobs) {
  EXPECT_TRUE(simulate({}, two_types(), options_).jobs.empty());
}

TEST_P(EveryPolicy, OneJob) {
  const clusters::Cluster cluster = two_types();
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 3, .work = 100}});
  const RunResult run = simulate(set, cluster, options_);
  EXPECT_EQ(run.jobs[0].end, JobEnd::completed);
  EXPECT_GE(run.jobs[0].completion.value, 103 - 1e-9);
}

TEST_P(EveryPolicy, StopsWithTheClock) {
  const clusters::Cluster cluster = two_types();
  const JobSet set = random_jobs(cluster, {.seed = 4});
  options_.until = Seconds{2000};
  const RunResult run = simulate(set, cluster, options_);
  EXPECT_LE(run.horizon.value, 2000);
  for (const JobOutcome& job : run.jobs) {
    EXPECT_TRUE(job.end != JobEnd::completed || job.completion.value <= 2000);
  }
}

std::vector<std::string> policy_ids() {
  std::vector<std::string> ids;
  for (const schedule::PolicyInfo& info : schedule::policies().all()) ids.push_back(info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryPolicy, ::testing::ValuesIn(policy_ids()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace sextant::simulate
