#include "sextant/report/queue_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;

queueing::Load load(double arrivals, std::int64_t servers) {
  return {.arrival_rate = Hertz{arrivals}, .service_time = Seconds{1}, .servers = servers};
}

std::string screen(const Table& table) {
  std::ostringstream out;
  render_screen(out, table, {});
  return out.str();
}

TEST(QueueReport, ColumnsFollowTheQuestion) {
  const auto has = [](const Table& table, const std::string& key) {
    return std::ranges::find(table.columns, key, &Column::key) != table.columns.end();
  };
  const Table plain = queues_table({mm1(load(0.8, 1))});
  EXPECT_FALSE(has(plain, "service_scv"));
  EXPECT_FALSE(has(plain, "capacity"));
  EXPECT_TRUE(plain.notes.empty());
  queueing::Load general = load(3, 4);
  general.service_scv = 1.5;
  const Table mixed = queues_table({mmc(load(3, 4)), ggc(general)});
  EXPECT_TRUE(has(mixed, "service_scv"));
  EXPECT_EQ(mixed.rows[0].size(), mixed.columns.size());
  EXPECT_EQ(mixed.notes.size(), 2U);
  EXPECT_THAT(screen(mixed), HasSubstr("~2."));
}

TEST(QueueReport, AnOverloadIsNullInJsonAndNamedOnScreen) {
  const queueing::QueueResult r = mm1(load(1.25, 1));
  const Json json = to_json(r);
  EXPECT_EQ(json.at("schema"), "sextant.queue/1");
  EXPECT_EQ(json.at("stable"), false);
  EXPECT_EQ(json.at("stable_servers"), 2);
  EXPECT_TRUE(json.at("waiting_s").is_null());
  EXPECT_TRUE(json.at("response_quantiles").is_null());
  EXPECT_THAT(screen(queues_table({r})), HasSubstr("unbounded"));
}

TEST(QueueReport, QuantilesAreInJson) {
  const Json json = to_json(mm1(load(0.8, 1)));
  EXPECT_NEAR(json.at("response_quantiles").at("p95_s").get<double>(), 14.979, 5e-4);
  EXPECT_EQ(json.at("quantiles_standing"), "exact");
  queueing::Load limited = load(0.8, 1);
  limited.capacity = 3;
  EXPECT_TRUE(to_json(mmck(limited)).at("quantiles_standing").is_null());
}

TEST(QueueReport, SizingSaysWhatOneServerLessWouldBreak) {
  const Table table =
      sizing_table({least_servers(queueing::QueueModel::mmc, load(3, 1), {.mean_wait = Seconds{0.5}}, 100),
                    least_servers(queueing::QueueModel::mmc, load(3, 1), {.mean_wait = Seconds{0.5}}, 2),
                    least_servers(queueing::QueueModel::mmc, load(0.1, 1), {.mean_wait = Seconds{9}}, 2)});
  EXPECT_EQ(table.notes[0], "5 servers are enough; with one less, mean wait 509 ms is above 500 ms.");
  EXPECT_EQ(table.notes[1], "Not even 2 servers are enough: stability: utilisation 1.5 is not below 1.");
  EXPECT_EQ(table.notes[2], "One server is enough.");
}

TEST(QueueReport, StationsOfAClosedNetwork) {
  const queueing::ClosedNetwork network{{{"cpu", Seconds{0.5}}, {"disk", Seconds{0.3}}}, Seconds{2}};
  const auto results = solve_closed(network, {4});
  EXPECT_THAT(screen(closed_table(network, results)),
              HasSubstr("Bottleneck cpu; users queue from about 5.6 on."));
  const Json json = closed_json(network, results);
  EXPECT_EQ(json.at("knee_users"), 5.6);
  EXPECT_NEAR(json.at("results").at(0).at("stations").at(0).at("in_station").get<double>(), 1.0371, 5e-5);
  EXPECT_EQ(bounds_json({network, {1, 2}, {network_bounds(network, 1), network_bounds(network, 2)}})
                .at("bounds")
                .size(),
            2U);
}

TEST(QueueReport, RecordsGiveModelAndReplay) {
  queueing::JobRecords records;
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    records.interarrival_s.push_back(rng.exponential(2));
    records.arrival_s.push_back((i == 0 ? 0 : records.arrival_s.back()) + records.interarrival_s.back());
    records.service_s.push_back(i % 10 == 0 ? 3 : 0.5);
  }
  const queueing::Diagnosis d = diagnose(records, {.replicates = 19});
  const Json json = to_json(d);
  EXPECT_EQ(json.at("schema"), "sextant.queue-records/1");
  EXPECT_EQ(json.at("arrivals").at("fits").size(), 6U);
  EXPECT_EQ(json.at("replay").at("jobs"), 100);
  EXPECT_EQ(json.at("result").at("servers"), 1);
  const Table answer = diagnosis_table(d);
  ASSERT_EQ(answer.rows.size(), 2U);
  for (const Table& table : {answer, fits_table(d), tests_table(d)}) {
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
}

}  // namespace
}  // namespace sextant::report
