// Rules against attacks: what is said, shown and drawn of a grid.
#include "sextant/report/federate_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::Not;

ask::FederatedRun run_of(const std::string& rule, const std::string& attack, double share, double accuracy) {
  ask::FederatedRun run{.federation = {}, .score = {}, .outcome = {}};
  run.federation.rule = rule;
  run.federation.attack = attack;
  run.federation.attackers = share;
  run.score.accuracy = accuracy;
  run.score.accuracies = {accuracy / 2, accuracy};
  run.outcome.completed = true;
  return run;
}

// Two seeds, so that there are intervals.
ask::FederateAnswer answer_of(std::vector<ask::FederatedRun> runs) {
  ask::FederateAnswer answer{.runs = runs};
  for (ask::FederatedRun& run : runs) {
    run.federation.seed = 1;
    run.score.accuracy += 0.002;
    answer.runs.push_back(run);
  }
  return answer;
}

ask::FederateAnswer small_grid() {
  return answer_of({run_of("mean", "none", 0, 0.8), run_of("median", "none", 0, 0.78),
                    run_of("mean", "alie", 0.2, 0.1), run_of("median", "alie", 0.2, 0.7)});
}

std::string screen_of(const ask::FederateAnswer& answer) {
  std::ostringstream out;
  for (const Section& section : federations_result(answer).sections) {
    if (section.shown) render_screen(out, section.table, {.color = false, .width = 100});
  }
  return out.str();
}

// 12.706 * 0.002 / 2: 1.3 points.
TEST(FederateReport, AGridHasARowForEachRuleAndAColumnForEachAttack) {
  const std::string screen = screen_of(small_grid());
  EXPECT_THAT(screen, HasSubstr("rule    no attack     alie"));
  EXPECT_THAT(screen, HasSubstr("median  78.1 % ± 1.3  70.1 % ± 1.3"));
  EXPECT_THAT(screen, Not(HasSubstr("breaks at")));
}

// Client 3 attacks and is flagged in both rounds, client 1 in one of two, client 2 never.
TEST(FederateReport, NamesWhomTheRuleSuspects) {
  ask::FederateAnswer answer{.runs = {run_of("krum", "alie", 0.2, 0.7)}};
  federated::RoundNote note{.round = 1, .answered = {1, 2, 3}, .attacking = {3}, .flagged = {1, 3}};
  note.test = {.confusion = {1}, .classes = 1};
  answer.runs[0].outcome.rounds = {note, note};
  answer.runs[0].outcome.rounds[1].flagged = {3};
  answer.runs[0].score = ask::score_of(answer.runs[0].outcome.rounds, 0.5);
  EXPECT_THAT(
      federations_result(answer).sections.at(1).table.notes,
      testing::Contains("It flagged 2 clients in at least half of their rounds (1, 3), of which 1 is an "
                        "attacker."));
  const auto json = to_json(federations_result(answer));
  EXPECT_EQ(json["clients"].size(), 3U);
  EXPECT_EQ(json["clients"][2]["flagged"], 2);
}

TEST(FederateReport, AGridIsDrawnByAttack) {
  const std::string picture = federations_picture(small_grid());
  EXPECT_THAT(picture, HasSubstr(">no attack<"));
  EXPECT_THAT(picture, HasSubstr(">alie<"));
  std::size_t dots = 0;
  for (std::size_t at = picture.find("<circle"); at != std::string::npos;
       at = picture.find("<circle", at + 1))
    ++dots;
  EXPECT_EQ(dots, 4U);
  EXPECT_EQ(federations_picture({}), "");
}

TEST(FederateReport, SaysWhereRulesBreak) {
  const ask::FederateAnswer answer =
      answer_of({run_of("mean", "alie", 0.1, 0.1), run_of("mean", "alie", 0.2, 0.1),
                 run_of("median", "alie", 0.1, 0.7), run_of("median", "alie", 0.2, 0.6)});
  EXPECT_THAT(
      federations_result(answer).sections.at(1).table.notes,
      testing::ElementsAre("As more clients attack by alie, the accuracy falls to guessing under mean "
                           "at 10.0 %; never up to 20.0 % under median."));
  EXPECT_THAT(screen_of(answer), HasSubstr("breaks at  tried up to"));
  const auto json = to_json(federations_result(answer));
  EXPECT_EQ(json["break_points"].size(), 2U);
  EXPECT_DOUBLE_EQ(json["break_points"][0]["breaks_at"].get<double>(), 0.1);
  EXPECT_TRUE(json["break_points"][1]["breaks_at"].is_null());
}

}  // namespace
}  // namespace sextant::report
