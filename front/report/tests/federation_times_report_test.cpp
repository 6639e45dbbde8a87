#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sextant/report/federate_report.h"

namespace sextant::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ask::FederationTimes times_of(std::int64_t per_round, double round_s) {
  return {.strategy = "fedavg",
          .per_round = per_round,
          .round_s = {.mean = round_s},
          .all_s = {.mean = 10 * round_s},
          .answered = 10,
          .samples_per_s = 1000 / round_s};
}

std::vector<std::string> sentences(const ask::FederationTimesAnswer& answer) {
  return federation_times_result(answer).sections[1].table.notes;
}

TEST(FederationTimesReport, SaysWhichPolicyReachesTheTargetFirst) {
  ask::FederationTimesAnswer answer{
      .rounds = 10, .seeds = 3, .target = 0.8, .rows = {times_of(10, 2), times_of(0, 9)}};
  answer.measured = ask::MeasuredComputing{};
  EXPECT_THAT(sentences(answer)[0], HasSubstr("no measured run was trained under one of these policies"));
  answer.rows[0].runs = 3;
  answer.rows[0].runs_at_target = 1;
  EXPECT_THAT(sentences(answer)[0], HasSubstr("1 of 3 reached it"));
  answer.rows[0].target_s = 60;
  answer.rows[0].target_from_s = 50;
  answer.rows[0].target_to_s = 72;
  EXPECT_THAT(
      sentences(answer),
      ElementsAre(
          "An accuracy of 80.0 % is reached first with 10 clients in a round and no deadline: in 1.00 min "
          "(95 % of such runs: 50.0 s to 1.20 min).",
          "For 1 of 2 policies no measured run says how many rounds that takes.",
          HasSubstr("Most samples in a second are trained on with 10 clients")));
  answer.rows[1].target_s = 70;
  answer.rows[1].target_from_s = 65;
  answer.rows[1].target_to_s = 80;
  EXPECT_THAT(sentences(answer)[0], HasSubstr("next is all clients in a round and no deadline"));
  EXPECT_THAT(sentences(answer)[0], HasSubstr("the difference may be chance"));
  answer.rows[1].target_from_s = 73;
  EXPECT_THAT(sentences(answer)[0], testing::Not(HasSubstr("chance")));
}

}  // namespace
}  // namespace sextant::report
