#include "sextant/ask/federate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/ask/federation_times.h"
#include "sextant/core/error.h"
#include "sextant/measure/run_folder.h"
#include "sextant/robust/rule.h"
#include "sextant/stats/distributions.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

using federated::Federation;
using federated::RoundNote;
using testing::ElementsAre;

TEST(Federate, SweepsListsAndSeeds) {
  FederateQuestion question;
  question.rule = {"mean", "median"};
  question.attack = {"none", "sign-flip:share=0.3", "alie"};
  question.attackers = {"0.1", "0.2"};
  question.seeds = 2;
  question.seed = 7;
  const std::vector<Federation> all = federations(question);
  // None and sign-flip do not depend on the lists of shares: (1 + 1 + 2) attacks x 2 rules x 2 seeds.
  ASSERT_EQ(all.size(), 16U);
  EXPECT_EQ(all[0].seed, 7U);
  EXPECT_EQ(all[1].seed, 8U);
  EXPECT_EQ(all[0].attackers, 0);
  EXPECT_EQ(all[4].attack, "sign-flip");
  EXPECT_EQ(all[4].attackers, 0.3);
  EXPECT_EQ(all[8].attackers, 0.1);
}

TEST(Federate, TellsARuleHowManyAttackersThereAre) {
  FederateQuestion question;
  question.attack = {"alie:share=0.1"};
  question.rule = {"krum", "krum:f=0.3", "bulyan"};
  const std::vector<Federation> all = federations(question);
  EXPECT_EQ(all[0].rule, "krum:f=0.1");
  EXPECT_EQ(all[1].rule, "krum:f=0.3");
  EXPECT_EQ(all[2].rule, "bulyan:f=0.1");
  question.attack = {"alie:share=0.4"};  // 100 >= 4 f + 3
  EXPECT_EQ(federations(question)[2].rule, "bulyan:f=0.24");
  question.rule = {"krum:bucket=2"};  // of 50 buckets
  EXPECT_EQ(federations(question)[0].rule, "krum:f=0.23:bucket=2");
}

TEST(Federate, TellsARuleTheShareWhereFewerAnswerThanAreChosen) {
  FederateQuestion question;
  question.per_round = 7;
  question.attack = {"alie:share=0.3"};
  question.rule = {"multi-krum"};
  const robust::RuleChoice choice = robust::parse_rule(federations(question)[0].rule);
  EXPECT_EQ(robust::assumed_attackers(choice, 7), 2U);  // 7 >= 2 f + 3
  EXPECT_EQ(robust::assumed_attackers(choice, 5), 1U);
  EXPECT_EQ(robust::assumed_attackers(choice, 3), 0U);
  question.attack = {"alie:share=0.1"};
  const robust::RuleChoice few = robust::parse_rule(federations(question)[0].rule);
  EXPECT_EQ(robust::assumed_attackers(few, 40), 4U);
  EXPECT_EQ(robust::assumed_attackers(few, 20), 2U);
}

TEST(Federate, RefusesWhatIsNoShare) {
  FederateQuestion question;
  question.attack = {"alie:share=1.5"};
  EXPECT_THROW(federations(question), InputError);
  question.attack = {"alie"};
  question.attackers = {"some"};
  EXPECT_THROW(federations(question), InputError);
}

// Two classes; `right` of 100 samples of each.
RoundNote round_of(std::int64_t number, std::int64_t right) {
  RoundNote note{.round = number};
  note.test = {.loss = 0.5, .confusion = {right, 100 - right, 100 - right, right}, .classes = 2};
  note.answered = {0, 1, 2, 3};
  note.attacking = {3};
  note.flagged = {1, 3};
  note.client_seconds = 2;
  note.seconds.total = 0.5;
  return note;
}

TEST(Federate, CountsRoundsToTheTargetAndWhatWasFlagged) {
  const FederatedScore score = score_of({round_of(1, 40), round_of(2, 75), round_of(3, 70)}, 0.75);
  EXPECT_DOUBLE_EQ(score.accuracy, 0.7);
  EXPECT_DOUBLE_EQ(score.best_accuracy, 0.75);
  EXPECT_EQ(score.rounds_to_target, 2);
  EXPECT_EQ(score.client_seconds_to_target, 4);
  EXPECT_EQ(score.attacking, 3);
  EXPECT_EQ(score.honest, 9);
  EXPECT_EQ(score.flagged, 3);
  EXPECT_EQ(score.falsely_flagged, 3);
  EXPECT_EQ(score_of({round_of(1, 40)}, 0.75).rounds_to_target, -1);
}

TEST(Federate, FindsRunsThatAreRecordedWhateverTheProcesses) {
  const TemporaryFolder folder;
  const std::string db = (folder.path() / "runs.db").string();
  FederatedRun run{.federation = {}, .score = {}, .outcome = {}};
  run.federation.rule = "median";
  run.outcome.rounds = {round_of(1, 40), round_of(2, 75)};
  run.score = score_of(run.outcome.rounds, 0.9);
  EXPECT_FALSE(recorded_score(db, run.federation, 0.9));
  append_federated_run(db, run, provenance_now("test", 0));
  Federation same = run.federation;
  same.hosts = 5;
  const auto found = recorded_score(db, same, 0.7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->accuracy, run.score.accuracy);
  EXPECT_EQ(found->flagged, run.score.flagged);
  EXPECT_EQ(found->accuracies, run.score.accuracies);
  EXPECT_EQ(found->rounds_to_target, 2);  // of the target that is asked for now
  same.seed = 1;
  EXPECT_FALSE(recorded_score(db, same, 0.7));
  run.federation.seed = 1;
  run.score.loss = std::nan("");  // it diverged
  append_federated_run(db, run, provenance_now("test", 0));
  EXPECT_EQ(recorded_score(db, same, 0.7)->loss, std::numeric_limits<double>::infinity());
}

TEST(Federate, MeansOverSeedsStandBesideTheCleanMean) {
  std::vector<FederatedRun> runs;
  for (const auto& [rule, attack, accuracy] :
       std::vector<std::tuple<const char*, const char*, double>>{{"mean", "none", 0.8},
                                                                 {"mean", "none", 0.9},
                                                                 {"median", "sign-flip", 0.6},
                                                                 {"median", "sign-flip", 0.7}}) {
    FederatedRun run{.federation = {}, .score = {}, .outcome = {}};
    run.federation.rule = rule;
    run.federation.attack = attack;
    run.federation.attackers = run.federation.attack == "none" ? 0 : 0.2;
    run.federation.seed = runs.size() % 2;
    run.score.accuracy = accuracy;
    run.outcome.completed = true;
    runs.push_back(run);
  }
  const std::vector<FederatedCell> cells = cells_of(runs);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_NEAR(cells[1].accuracy.mean, 0.65, 1e-12);
  // 12.706 * 0.0707 / sqrt(2)
  EXPECT_NEAR(cells[1].accuracy.half_width.value(), 0.6353, 1e-3);
  EXPECT_NEAR(cells[1].clean_accuracy.value(), 0.85, 1e-12);
}

FederatedRun run_with(double share, const char* rule, double accuracy) {
  FederatedRun run{.federation = {}, .score = {}, .outcome = {}};
  run.federation.attack = "alie";
  run.federation.attackers = share;
  run.federation.rule = rule;
  run.score.accuracy = accuracy;
  run.outcome.completed = true;
  return run;
}

// Ten classes: guessing is up to 15 %. A rule is the same whatever share of attackers it was told.
TEST(Federate, FindsTheShareAtWhichARuleBreaks) {
  const std::vector<FederatedRun> runs = {run_with(0.3, "krum:f=0.3", 0.15), run_with(0.1, "krum:f=0.1", 0.8),
                                          run_with(0.2, "krum", 0.16),       run_with(0.1, "median", 0.7),
                                          run_with(0.2, "median", 0.6),      run_with(0.1, "mean", 0.1)};
  const std::vector<FederatedCell> cells = cells_of(runs);
  const std::vector<BreakPoint> points = break_points(cells);
  ASSERT_EQ(points.size(), 2U);  // the mean met one share only
  EXPECT_NEAR(points[0].chance, 0.15, 1e-12);
  EXPECT_EQ(points[0].cells.size(), 3U);
  EXPECT_EQ(points[0].share, 0.3);
  EXPECT_FALSE(points[1].share);
  EXPECT_EQ(rule_name(run_with(0.3, "krum:f=0.3:bucket=2", 0).federation), "krum:bucket=2");
}

TEST(FederationTimes, DeadlineCutsTheSlowClientsOff) {
  FederationTimesQuestion question;
  question.federation.net = "fedavg-2nn";
  question.federation.data = "synthetic:samples=200";
  question.federation.clients = 20;
  question.federation.rounds = 5;
  question.federation.seeds = 3;
  question.federation.speed = "uniform:low=5:high=50";
  question.federation.bandwidth = "constant:value=1e12";
  question.deadline = {"none", "2s"};
  const FederationTimesAnswer answer = federation_times(question);
  ASSERT_EQ(answer.rows.size(), 2U);
  EXPECT_EQ(answer.rows[0].answered, 20);
  EXPECT_EQ(answer.rows[0].late_share, 0);
  EXPECT_NEAR(answer.rows[1].round_s.mean, 2, 1e-9);
  EXPECT_LT(answer.rows[1].answered, 20);
  // A batch of 32 samples: in time with at least 16 a second, 34/45 of the clients; 60 draws, four
  // deviations.
  EXPECT_NEAR(answer.rows[1].answered / 20, 34.0 / 45, 0.23);
  EXPECT_DOUBLE_EQ(answer.rows[0].all_s.mean, 5 * answer.rows[0].round_s.mean);
}

// Kept as `federate` keeps it: the target is reached in the second round or later.
std::string kept_run(const TemporaryFolder& folder, const Federation& f, std::int64_t at_target) {
  const std::filesystem::path path = folder.path() / ("run-" + std::to_string(f.seed));
  std::filesystem::create_directories(path);
  std::vector<RoundNote> rounds;
  for (std::int64_t round = 1; round <= at_target; ++round) {
    rounds.push_back(round_of(round, round == at_target ? 80 : 50));
    rounds.back().answered = {0};
    rounds.back().train_seconds = round == 1 ? 100 : 2;  // the first one is not counted
    rounds.back().seconds = {.rule = 0.25, .evaluation = 0.5};
  }
  measure::write_file_atomically(path / "federation.json", to_json(f).dump());
  measure::write_file_atomically(path / "rounds.json", federated::rounds_text(rounds));
  return path.string();
}

FederationTimesQuestion measured_question(const TemporaryFolder& folder,
                                          const std::vector<std::int64_t>& rounds) {
  FederationTimesQuestion question;
  question.federation.net = "fedavg-2nn";
  question.federation.data = "synthetic:samples=200";
  question.federation.clients = 20;
  question.federation.rounds = 4;
  question.federation.seeds = 3;
  question.federation.target = 0.75;
  question.federation.speed = "measured";
  question.federation.bandwidth = "constant:value=1e12";
  question.server_time = "measured";
  question.per_round = {5, 0};
  FederateQuestion asked = question.federation;
  asked.speed = "constant:value=1000";
  asked.per_round = 5;
  asked.rounds = 10;
  asked.seeds = 1;
  for (const std::int64_t at_target : rounds) {
    question.measured.push_back(kept_run(folder, federations(asked).front(), at_target));
    ++asked.seed;
  }
  return question;
}

TEST(FederationTimes, TakeComputingAndRoundsToTheTargetFromRunsThatWereMade) {
  const TemporaryFolder folder;
  const FederationTimesQuestion question = measured_question(folder, {2, 3, 8});
  const FederationTimesAnswer answer = federation_times(question);
  // Ten samples are one step of 32; 2 s each, and 0.75 s at the server.
  ASSERT_TRUE(answer.measured);
  EXPECT_NEAR(answer.measured->samples_per_s, 16, 1e-9);
  EXPECT_NEAR(answer.measured->server_s, 0.75, 1e-12);
  const FederationTimes& five = answer.rows[0];
  EXPECT_NEAR(five.round_s.mean, 2.75, 1e-4);
  EXPECT_EQ(five.runs, 3);
  EXPECT_NEAR(five.rounds_to_target.value(), 13.0 / 3, 1e-12);
  EXPECT_NEAR(five.target_s.value(), 13.0 / 3 * 2.75, 1e-3);
  // ln 2, 3, 8: variance 0.5080, for one more run 4/3 of it, with two degrees of freedom; and 1/12 of a round
  // for 13/3, which is sure. All seeds have the same clients.
  const double of_runs = 0.50804 * 4 / 3;
  const double whole = 1 / (12 * 13.0 / 3 * 13.0 / 3);
  const double freedom = 2 * (1 + whole / of_runs) * (1 + whole / of_runs);
  const double width = stats::upper_quantile(stats::StudentT{freedom}, 0.025) * std::sqrt(of_runs + whole);
  EXPECT_NEAR(std::log(five.target_to_s.value() / five.target_s.value()), width, 2e-3);
  EXPECT_EQ(answer.rows[1].runs, 0);  // nobody trained with all clients
  EXPECT_FALSE(answer.rows[1].target_s);
}

TEST(FederationTimes, SayNothingOfATargetThatARunDidNotReach) {
  const TemporaryFolder folder;
  FederationTimesQuestion question = measured_question(folder, {2, 3, 4});
  question.federation.target = 0.9;
  const FederationTimesAnswer answer = federation_times(question);
  EXPECT_EQ(answer.rows[0].runs, 3);
  EXPECT_EQ(answer.rows[0].runs_at_target, 0);
  EXPECT_FALSE(answer.rows[0].target_s);
  question.federation.batch = 16;
  EXPECT_THROW(federation_times(question), InputError);
  question.measured = {(folder.path() / "elsewhere").string()};
  EXPECT_THROW(federation_times(question), InputError);
}

}  // namespace
}  // namespace sextant::ask
