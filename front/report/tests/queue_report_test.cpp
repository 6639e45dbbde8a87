#include "sextant/report/queue_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::Not;

queueing::Load load(double arrivals, std::int64_t servers) {
  return {.arrival_rate = Hertz{arrivals}, .service_time = Seconds{1}, .servers = servers};
}

Result open(std::vector<queueing::QueueResult> results) {
  return queue_result({ask::OpenQueues{std::move(results)}});
}

// As people see it.
std::string screen(const Result& result) {
  std::ostringstream out;
  for (const Section& section : result.sections) {
    if (section.shown) render_screen(out, section.table, {});
  }
  return out.str();
}

TEST(QueueReport, ColumnsFollowTheQuestion) {
  const std::string plain = screen(open({mm1(load(0.8, 1))}));
  EXPECT_THAT(plain, Not(HasSubstr("scv")));
  EXPECT_THAT(plain, Not(HasSubstr("capacity")));
  EXPECT_THAT(plain, Not(HasSubstr("lost")));
  queueing::Load general = load(3, 4);
  general.service_scv = 1.5;
  const Result mixed = open({mmc(load(3, 4)), ggc(general)});
  EXPECT_THAT(screen(mixed), HasSubstr("scv arr.  scv serv."));
  EXPECT_EQ(mixed.sections.at(0).table.notes.size(), 1U);
  EXPECT_THAT(screen(mixed), HasSubstr("~2."));
  EXPECT_THAT(screen(mixed), HasSubstr("~ : approximate"));
  EXPECT_THAT(plain, Not(HasSubstr("~ : ")));
}

TEST(QueueReport, AnOverloadIsNullInJsonAndNamedOnScreen) {
  const Result result = open({mm1(load(1.25, 1))});
  const Json all = to_json(result);
  EXPECT_EQ(all.at("schema"), "sextant.queue/2");
  const Json& queue = all.at("queues").at(0);
  EXPECT_EQ(queue.at("stable"), false);
  EXPECT_EQ(queue.at("stable_servers"), 2);
  EXPECT_TRUE(queue.at("waiting_s").is_null());
  EXPECT_TRUE(queue.at("response_p95_s").is_null());
  EXPECT_THAT(screen(result), HasSubstr("unbounded"));
}

TEST(QueueReport, QuantilesAreInJson) {
  queueing::Load limited = load(0.8, 1);
  limited.capacity = 3;
  const Json queues = to_json(open({mm1(load(0.8, 1)), mmck(limited)})).at("queues");
  EXPECT_NEAR(queues.at(0).at("response_p95_s").get<double>(), 14.979, 5e-4);
  EXPECT_LT(queues.at(0).at("response_p50_s"), queues.at(0).at("response_p95_s"));
  EXPECT_EQ(queues.at(0).at("quantiles_standing"), "exact");
  EXPECT_TRUE(queues.at(1).at("quantiles_standing").is_null());
}

TEST(QueueReport, SizingSaysWhatOneServerLessWouldBreak) {
  using queueing::QueueModel;
  const ask::SizedQueues sized{{least_servers(QueueModel::mmc, load(3, 1), {.mean_wait = Seconds{0.5}}, 100),
                                least_servers(QueueModel::mmc, load(3, 1), {.mean_wait = Seconds{0.5}}, 2),
                                least_servers(QueueModel::mmc, load(0.1, 1), {.mean_wait = Seconds{9}}, 2)}};
  const Result result = queue_result({sized});
  EXPECT_THAT(
      result.sections.at(0).table.notes,
      testing::ElementsAre("5 servers are enough; with one less, mean wait 509 ms is above 500 ms.",
                           "Not even 2 servers are enough: stability: utilisation 1.5 is not below 1.",
                           "One server is enough."));
  EXPECT_EQ(to_json(result).at("queues").at(1).at("feasible"), false);
}

TEST(QueueReport, StationsOfAClosedNetwork) {
  const queueing::ClosedNetwork network{{{"cpu", Seconds{0.5}}, {"disk.0", Seconds{0.3}}}, Seconds{2}};
  const Result result = queue_result({ask::ClosedQueues{network, solve_closed(network, {4})}});
  EXPECT_THAT(screen(result), HasSubstr("Bottleneck cpu; users queue from about 5.6 on."));
  const Json json = to_json(result);
  EXPECT_EQ(json.at("knee_users"), 5.6);
  EXPECT_EQ(json.at("stations").at(1).at("name"), "disk.0");
  const Json& there = json.at("results").at(0).at("at_stations");
  EXPECT_NEAR(there.at("cpu_number").get<double>(), 1.0371, 5e-5);
  EXPECT_TRUE(there.contains("disk.0_residence_s"));
  const Result bounds = queue_result(
      {ask::ClosedBounds{network, {1, 2}, {network_bounds(network, 1), network_bounds(network, 2)}}});
  EXPECT_EQ(to_json(bounds).at("bounds").size(), 2U);
}

TEST(QueueReport, RecordsGiveModelAndReplay) {
  queueing::JobRecords records;
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    records.interarrival_s.push_back(rng.exponential(2));
    records.arrival_s.push_back((i == 0 ? 0 : records.arrival_s.back()) + records.interarrival_s.back());
    records.service_s.push_back(i % 10 == 0 ? 3 : 0.5);
  }
  const Result result = queue_result({ask::RecordedQueue{diagnose(records, {.replicates = 19}), {}}});
  const Json json = to_json(result);
  EXPECT_EQ(json.at("schema"), "sextant.queue-records/2");
  EXPECT_EQ(json.at("jobs"), 100);
  EXPECT_EQ(json.at("fits").size(), 12U);
  EXPECT_EQ(json.at("times").size(), 2U);
  EXPECT_EQ(json.at("model").at(0).at("servers"), 1);
  ASSERT_EQ(json.at("answers").size(), 2U);
  EXPECT_EQ(json.at("answers").at(1).at("answer"), "replay");
  const std::string shown = screen(result);
  EXPECT_LT(shown.find("chi2 p"), shown.find("mean wait")) << "the answer stands under what it rests on";
}

}  // namespace
}  // namespace sextant::report
