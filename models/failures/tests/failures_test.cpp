// Logs of failures, their burstiness, and jobs that are replayed through them.
#include <gmock/gmock.h>

#include <cmath>

#include "error_of.h"
#include "minute.h"
#include "sextant/failures/burstiness.h"
#include "sextant/failures/forecast.h"

namespace sextant::failures {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<FailureLog> logs_of(const std::string& csv, const FailureLogOptions& options = {}) {
  return read_failure_logs(CsvTable::parse(csv, "log.csv"), options);
}

// Nodes fail independently, exponentially.
FailureLog independent_log(std::int64_t nodes, Seconds node_mtbf, std::size_t failures, std::uint64_t seed) {
  Rng rng = Rng(seed).stream("failures");
  FailureLog log{.nodes = nodes};
  Seconds now{};
  for (std::size_t i = 0; i < failures; ++i) {
    log.failures.push_back({.at = now, .node = static_cast<std::int64_t>(rng.below(log.nodes))});
    now += Seconds{rng.exponential(node_mtbf.value / static_cast<double>(nodes))};
  }
  log.period = log.failures.back().at;
  return log;
}

TEST(FailureLogs, ReadsDaysDatesAndSystems) {
  const auto days = logs_of("node,start_day,end_day\na,1,1.5\nb,3,4\na,2,2\n", {.nodes = 10});
  ASSERT_THAT(days, SizeIs(1));
  EXPECT_EQ(days[0].nodes, 10);
  EXPECT_EQ(days[0].period, Seconds{2 * 86'400.0});
  ASSERT_THAT(days[0].failures, SizeIs(3));
  EXPECT_EQ(days[0].failures[1].at, Seconds{86'400});
  EXPECT_EQ(days[0].failures[1].node, 0);
  EXPECT_EQ(days[0].failures[0].repair, Seconds{43'200});
  EXPECT_EQ(days[0].node_mtbf(), 10.0 / 3 * Seconds{2 * 86'400.0});
  const auto systems = logs_of(
      "system,nodes,node,started,down_minutes\n2,8,x,2003-09-13T12:27,179\n"
      "7,4,y,2003-09-14T00:00,\n2,8,z,2003-09-13T13:27,5\n7,4,y,2003-09-15T00:00,1\n");
  ASSERT_THAT(systems, SizeIs(2));
  EXPECT_EQ(systems[0].name, "2");
  EXPECT_EQ(systems[0].period, kHour);
  EXPECT_EQ(systems[0].failures[0].repair, 179 * kMinute);
  EXPECT_EQ(systems[1].nodes, 4);
  EXPECT_FALSE(systems[1].failures[0].repair.has_value());
}

TEST(FailureLogs, FaultsHavePositions) {
  EXPECT_THAT(error_of([] { logs_of("node,start_day\na,1\nb,soon\n"); }), HasSubstr("log.csv:3:3"));
  EXPECT_THAT(error_of([] { logs_of("node,started\na,2003-02-30\nb,2003-01-01\n"); }),
              HasSubstr("log.csv:2:3: error: '2003-02-30' is no date"));
  EXPECT_THAT(error_of([] { logs_of("node,start_s,end_s\na,5,3\nb,9,10\n"); }),
              HasSubstr("log.csv:2:5: error: the node was back before it failed"));
  EXPECT_THAT(error_of([] { logs_of("node,when\na,5\n"); }), HasSubstr("no column says when"));
  EXPECT_THAT(error_of([] { logs_of("node,start_s\na,5\n"); }), HasSubstr("has one failure"));
  EXPECT_THAT(error_of([] { logs_of("node,start_s\na,5\nb,5\n"); }), HasSubstr("at the same time"));
  EXPECT_THAT(error_of([] { logs_of("node,start_s\na,5\nb,6\n", {.nodes = 1}); }), HasSubstr("2 nodes"));
  EXPECT_THAT(error_of([] { logs_of("node,start_s\n"); }), HasSubstr("no failures"));
}

TEST(FailureLogs, APartHasItsOwnTime) {
  const FailureLog log = logs_of("node,start_s\na,0\nb,10\na,20\nb,40\n")[0];
  const FailureLog rest = log.between(Seconds{10}, Seconds{40});
  EXPECT_EQ(rest.period, Seconds{30});
  ASSERT_THAT(rest.failures, SizeIs(2));
  EXPECT_EQ(rest.failures[1].at, Seconds{10});
}

// By hand: 100 s of computing, a checkpoint of 10 s after every 20 s of it, restarts of 15 s. The failure at
// 50 leaves one turn of 30 s (20 kept); at 60 the job still restarts, so it starts anew until 75; from there
// 75 s, two turns (40 kept) and 15 s at the end, which are kept too: 75 of 150.
TEST(Replay, ByHand) {
  const Interruptions job{.at = {Seconds{50}, Seconds{60}}, .period = Seconds{150}};
  EXPECT_DOUBLE_EQ(goodput(job, {.checkpoint = Seconds{10}, .restart = Seconds{15}}, Seconds{20}),
                   75.0 / 150);
}

TEST(Replay, NothingFails) {
  const Interruptions job{.at = {}, .period = Seconds{110}};
  // Three turns of 30 s, and the last 20 s are computing.
  EXPECT_DOUBLE_EQ(goodput(job, {.checkpoint = Seconds{10}}, Seconds{20}), 80.0 / 110);
  EXPECT_DOUBLE_EQ(goodput(job, {}, Seconds{1000}), 1);
}

TEST(Replay, AJobOnEveryNodeMeetsEveryFailure) {
  const FailureLog log = independent_log(16, 16 * kHour, 50, 3);
  for (const Interruptions& job : draw_jobs(log, 16, 3, Rng(1)))
    EXPECT_EQ(job.at.size(), log.failures.size());
  EXPECT_THROW(draw_jobs(log, 17, 1, Rng(1)), InputError);
  EXPECT_THROW(draw_jobs(log, 0, 1, Rng(1)), InputError);
}

// Where failures are as the closed form supposes, the replay agrees with it.
TEST(Replay, AgreesWithTheClosedFormOnIndependentFailures) {
  const FailureLog log = independent_log(64, 64 * 24 * kHour, 20'000, 5);
  const InterruptionCosts costs{.checkpoint = 5 * kMinute, .restart = 10 * kMinute};
  for (const std::int64_t nodes : {16, 64}) {
    const Seconds mtbf = mtbf_of_nodes(log.node_mtbf(), nodes);
    const Seconds every = daly_interval(costs.checkpoint, mtbf);
    const auto jobs = draw_jobs(log, nodes, 4, Rng(1));
    EXPECT_NEAR(mean_goodput(jobs, costs, every), closed_form_goodput(costs, every, mtbf), 0.002) << nodes;
  }
}

TEST(BurstinessOfFailures, IndependentFailuresAreNotBursty) {
  int refused = 0;
  int together = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Burstiness found = burstiness(independent_log(100, 100 * kHour, 200, seed), 5 * kMinute);
    if (found.shape_p < 0.05) ++refused;
    if (found.together_p < 0.05) ++together;
  }
  // Of 100 tests at 5 %, 12 or more have a chance of .4 %.
  EXPECT_LE(refused, 11);
  EXPECT_LE(together, 11);
}

TEST(BurstinessOfFailures, FailuresInPairsAreFound) {
  FailureLog log = independent_log(100, 100 * kHour, 100, 1);
  std::vector<Failure> pairs;
  for (const Failure& failure : log.failures) {
    pairs.push_back(failure);
    pairs.push_back({.at = failure.at + Seconds{30}, .node = (failure.node + 1) % 100});
  }
  log.failures = pairs;
  const Burstiness found = burstiness(log, kMinute);
  EXPECT_NEAR(found.together, 0.5, 0.05);
  EXPECT_LT(found.together_p, 1e-9);
  EXPECT_LT(found.shape, 0.8);
  EXPECT_LT(found.shape_p, 1e-6);
  EXPECT_GT(found.scv, 1.5);
}

TEST(Forecast, BestIntervalOfBurstyFailuresIsLonger) {
  FailureLog log = independent_log(8, 8 * 24 * kHour, 400, 2);
  // Every failure strikes three nodes within half an hour: as many failures, a third of the interruptions.
  std::vector<Failure> bursts;
  for (const Failure& failure : log.failures) {
    for (std::int64_t i = 0; i < 3; ++i)
      bursts.push_back(
          {.at = failure.at + static_cast<double>(10 * i) * kMinute, .node = (failure.node + i) % 8});
  }
  log.failures = bursts;
  log.period = log.failures.back().at;
  const JobOnNodes job{.nodes = 8, .costs = {.checkpoint = 2 * kMinute, .restart = 15 * kMinute}};
  const JobForecaster forecaster(log, job, Rng(1));
  const Seconds young = young_interval(job.costs.checkpoint, mtbf_of_nodes(log.node_mtbf(), 8));
  const Seconds best = forecaster.best_interval();
  EXPECT_GT(best / young, 1.3);
  EXPECT_GE(forecaster.replayed(best), forecaster.replayed(young));
  const Forecast forecast = forecaster.at(best);
  EXPECT_LT(forecast.low, forecast.goodput);
  EXPECT_GT(forecast.high, forecast.goodput);
}

TEST(Forecast, IsTheSameForTheSameSeed) {
  const FailureLog log = independent_log(32, 32 * kHour, 100, 4);
  const JobOnNodes job{.nodes = 8, .costs = {.checkpoint = kMinute, .restart = kMinute}};
  const Forecast first = JobForecaster(log, job, Rng(9)).at(kHour);
  const Forecast second = JobForecaster(log, job, Rng(9)).at(kHour);
  EXPECT_EQ(first.goodput, second.goodput);
  EXPECT_EQ(first.low, second.low);
}

TEST(RateDrift, IsOfTheHalves) {
  // Three failures in the first half of the time and one in the second: ln(1/3).
  const auto logs = logs_of("node,start_s\na,0\nb,1\na,2\nb,40\n");
  EXPECT_NEAR(rate_drift(logs, 4), std::log(3), 1e-12);
  EXPECT_THROW(rate_drift(logs, 5), InputError);
}

}  // namespace
}  // namespace sextant::failures
