#include "sextant/ask/queue.h"

#include <gmock/gmock.h>

#include "error_of.h"

namespace sextant::ask {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void expect_refused(const QueueQuestion& question, const std::string& says) {
  EXPECT_THAT(sextant::test::error_of([&] { (void)queue(question); }), HasSubstr(says));
}

// M/M/1 at 1 job and 2 services a second: response 1 / (2 - 1) s. At 3 jobs a second two servers keep up.
TEST(AskQueue, ListsAreSweptAndOverloadIsAnAnswer) {
  const QueueAnswer answer = queue({.model = "mm1", .arrival_rates = {"1", "3"}, .service_rates = {"2"}});
  const auto& results = std::get<OpenQueues>(answer.result).results;
  ASSERT_EQ(results.size(), 2U);
  EXPECT_DOUBLE_EQ(results[0].response.value, 1);
  EXPECT_FALSE(results[1].stable);
  EXPECT_TRUE(answer.feasible);
  EXPECT_THAT(
      answer.warnings,
      ElementsAre("unstable: the queue grows without bound, since utilisation 1.5 is not below 1 (M/M/1, 1 "
                  "server); 2 servers would keep up"));
}

TEST(AskQueue, NothingFitsIsAnAnswer) {
  const QueueAnswer answer = queue({.model = "mmc",
                                    .arrival_rates = {"12/h"},
                                    .service_times = {"25 min"},
                                    .target_wait = "1 min",
                                    .max_servers = 4});  // 5 are busy on average
  EXPECT_FALSE(answer.feasible);
  EXPECT_FALSE(std::get<SizedQueues>(answer.result).sizings.at(0).feasible);
  EXPECT_THAT(answer.warnings, ElementsAre(HasSubstr("infeasible with 4 servers")));
}

// Asymptotic bounds: X(1) = 1 / (D + Z), and never above 1 / max D.
TEST(AskQueue, BoundsFollowFromDemands) {
  const QueueAnswer both =
      queue({.model = "laws", .demands = {"0.5", "0.3"}, .think = "2", .populations = {1, 100}});
  const auto& answer = std::get<ClosedBounds>(both.result);
  EXPECT_NEAR(answer.bounds.at(0).throughput.value, 1 / 2.8, 1e-12);
  EXPECT_NEAR(answer.bounds.at(1).throughput.value, 2, 1e-12);
}

TEST(AskQueue, WhatContradictsItselfIsRefused) {
  expect_refused({}, "which queue?");
  expect_refused({.model = "mmm"}, "is no model");
  expect_refused({.model = "mm1", .arrival_rates = {"1"}}, "give either `service_time` or");
  expect_refused({.model = "mm1", .arrival_rates = {"1"}, .service_times = {"1"}, .demands = {"1"}},
                 "has no meaning");
}

}  // namespace
}  // namespace sextant::ask
