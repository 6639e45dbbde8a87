// Formulas against simulated queues: the truth must lie in the 95 % interval of the simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/queueing/distribution.h"
#include "sextant/queueing/priority.h"
#include "sextant/queueing/replay.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::queueing {
namespace {

struct Jobs {
  std::vector<double> arrivals;
  std::vector<double> services;
};

Jobs make_jobs(const Distribution& gap, const Distribution& service, std::size_t count, const Rng& rng) {
  Rng arrivals = rng.stream("arrivals");
  Rng services = rng.stream("services");
  Jobs jobs;
  double clock = 0;
  for (std::size_t i = 0; i < count; ++i) {
    jobs.arrivals.push_back(clock += draw(gap, arrivals));
    jobs.services.push_back(draw(service, services));
  }
  return jobs;
}

// Waits of 200,000 jobs after a tenth of them as warm-up.
std::vector<double> steady_waits(const Distribution& gap, const Distribution& service, std::int64_t servers) {
  const Jobs jobs = make_jobs(gap, service, 220'000, Rng(12));
  std::vector<double> waits = fcfs_waits(jobs.arrivals, jobs.services, servers);
  waits.erase(waits.begin(), waits.begin() + 20'000);
  return waits;
}

void expect_inside(const QueueResult& formula, const std::vector<double>& waits) {
  const auto interval = batch_means_interval(waits);
  ASSERT_TRUE(interval.has_value());
  EXPECT_TRUE(interval->contains(formula.waiting.value))
      << formula.model << ' ' << formula.waiting.value << " not in " << interval->low << ".."
      << interval->high;
  EXPECT_LT(interval->width(), 0.25 * formula.waiting.value) << "too wide to say anything";
}

Load unit_load(double arrivals, double scv, std::int64_t servers = 1) {
  return {
      .arrival_rate = Hertz{arrivals}, .service_time = Seconds{1}, .servers = servers, .service_scv = scv};
}

TEST(Simulation, MM1) {
  const auto waits = steady_waits(Exponential{1 / 0.7}, Exponential{1}, 1);
  expect_inside(mm1(unit_load(0.7, 1)), waits);
  const double p95 = mm1(unit_load(0.7, 1)).waiting_quantiles->p95.value;
  EXPECT_NEAR(stats::sample_quantile(waits, 0.95), p95, 0.05 * p95);
}

TEST(Simulation, MMc) {
  const Jobs jobs = make_jobs(Exponential{1.0 / 3}, Exponential{1}, 220'000, Rng(12));
  const auto waits = fcfs_waits(jobs.arrivals, jobs.services, 4);
  const QueueResult formula = mmc(unit_load(3, 1, 4));
  expect_inside(formula, waits);
  std::vector<double> responses = waits;
  for (std::size_t i = 0; i < waits.size(); ++i) responses[i] += jobs.services[i];
  for (const auto& [p, expected] :
       {std::pair(0.5, formula.response_quantiles->p50), std::pair(0.95, formula.response_quantiles->p95),
        std::pair(0.99, formula.response_quantiles->p99)}) {
    EXPECT_NEAR(stats::sample_quantile(responses, p), expected.value, 0.03 * expected.value) << p;
  }
  const auto waited = std::ranges::count_if(waits, [](double w) { return w > 0; });
  EXPECT_NEAR(static_cast<double>(waited) / 220'000, formula.wait_probability, 0.01);
}

TEST(Simulation, MG1) {
  expect_inside(mg1(unit_load(0.7, 0.25)), steady_waits(Exponential{1 / 0.7}, Gamma{4, 0.25}, 1));
  expect_inside(mg1(unit_load(0.7, 0)), steady_waits(Exponential{1 / 0.7}, Constant{1}, 1));
  const double sigma2 = std::log(3.0);  // scv 2, mean 1
  expect_inside(mg1(unit_load(0.7, 2)),
                steady_waits(Exponential{1 / 0.7}, LogNormal{-sigma2 / 2, std::sqrt(sigma2)}, 1));
}

TEST(Simulation, AllenCunneenIsWithinATenth) {
  // Erlang-2 arrivals (scv 1/2) and hyperexponential services on three servers at 80 %.
  const HyperExponential services{0.75, 0.5, 2.5};
  const auto waits = steady_waits(Gamma{2, 1 / (2 * 2.4)}, services, 3);
  Load l = unit_load(2.4, scv(Distribution(services)), 3);
  l.arrival_scv = 0.5;
  EXPECT_NEAR(stats::mean(waits), ggc(l).waiting.value, 0.1 * ggc(l).waiting.value);
}

TEST(Simulation, IntervalsCoverAsOftenAsTheySay) {
  int covered = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Jobs jobs = make_jobs(Exponential{2}, Exponential{1}, 10'000, Rng(77).stream("run", i));
    const auto waits = fcfs_waits(jobs.arrivals, jobs.services, 1);
    covered += batch_means_interval(waits)->contains(1) ? 1 : 0;  // rho 1/2: W = 1
  }
  EXPECT_GE(covered, 52);  // of 57 expected
}

// One server, two classes, first come first served within each; mean wait of each class.
std::pair<double, double> priority_waits(const Jobs& urgent, const Jobs& other) {
  double clock = 0;
  double wait1 = 0;
  double wait2 = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < urgent.arrivals.size() && j < other.arrivals.size()) {
    clock = std::max(clock, std::min(urgent.arrivals[i], other.arrivals[j]));
    if (urgent.arrivals[i] <= clock) {
      wait1 += clock - urgent.arrivals[i];
      clock += urgent.services[i++];
    } else {
      wait2 += clock - other.arrivals[j];
      clock += other.services[j++];
    }
  }
  return {wait1 / static_cast<double>(i), wait2 / static_cast<double>(j)};
}

TEST(Simulation, Priorities) {
  const Jobs urgent = make_jobs(Exponential{1 / 0.3}, Exponential{1}, 300'000, Rng(5).stream("urgent"));
  const Jobs other = make_jobs(Exponential{1 / 0.2}, Gamma{4, 0.5}, 300'000, Rng(5).stream("other"));
  const auto [wait1, wait2] = priority_waits(urgent, other);
  const PriorityResult formula =
      priority_mg1({{"urgent", Hertz{0.3}, Seconds{1}, 1}, {"other", Hertz{0.2}, Seconds{2}, 0.25}});
  EXPECT_NEAR(wait1, formula.classes[0].waiting.value, 0.03 * wait1);
  EXPECT_NEAR(wait2, formula.classes[1].waiting.value, 0.05 * wait2);
}

TEST(Simulation, UrgentJobsUnderAnOverload) {
  const Jobs urgent = make_jobs(Exponential{1 / 0.4}, Exponential{1}, 200'000, Rng(6).stream("urgent"));
  const Jobs other = make_jobs(Exponential{0.5}, Constant{1.5}, 600'000, Rng(6).stream("other"));
  const PriorityResult formula =
      priority_mg1({{"urgent", Hertz{0.4}, Seconds{1}, 1}, {"other", Hertz{2}, Seconds{1.5}, 0}});
  EXPECT_NEAR(priority_waits(urgent, other).first, formula.classes[0].waiting.value,
              0.03 * formula.classes[0].waiting.value);
}

TEST(Replay, ByHand) {
  // Two servers; the third job waits for the first (until 4), the fourth for the second (until 5).
  const std::vector<double> arrivals = {0, 1, 2, 2};
  const std::vector<double> services = {4, 4, 1, 3};
  EXPECT_EQ(fcfs_waits(arrivals, services, 2), (std::vector<double>{0, 0, 2, 3}));
  EXPECT_EQ(fcfs_waits(arrivals, services, 4), (std::vector<double>{0, 0, 0, 0}));
  const Replay replay = replay_fcfs(arrivals, services, 2);
  EXPECT_DOUBLE_EQ(replay.waiting.value, 1.25);
  EXPECT_DOUBLE_EQ(replay.response.value, 4.25);
  EXPECT_DOUBLE_EQ(replay.utilisation, 12.0 / (2 * 8));
  EXPECT_EQ(replay.waiting_interval_s, std::nullopt);
}

TEST(Replay, MoreServersNeverWaitLonger) {
  const Jobs jobs = make_jobs(HyperExponential{0.8, 0.1, 2}, LogNormal{0, 1}, 3000, Rng(2));
  double last = std::numeric_limits<double>::infinity();
  for (std::int64_t servers = 1; servers < 12; ++servers) {
    const double waiting = replay_fcfs(jobs.arrivals, jobs.services, servers).waiting.value;
    EXPECT_LE(waiting, last);
    last = waiting;
  }
}

}  // namespace
}  // namespace sextant::queueing
