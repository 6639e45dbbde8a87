// Campaigns with scripts as processes, so that times are known.
#include "sextant/measure/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "error_of.h"
#include "processes.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::measure {
namespace {

using test::script_trial;
using test::write_script;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CampaignTest : public testing::Test {
 protected:
  CampaignResult run(const std::vector<Trial>& trials, const std::string& script) {
    options_.supervise.worker = write_script(temporary_.path(), script);
    options_.supervise.scratch = scratch_.path();
    NoProgress progress;
    CampaignResult result = run_campaign(trials, options_, progress);
    EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
    return result;
  }
  // Where scripts note that they ran, by their trial's batch.
  [[nodiscard]] std::string note() const {
    return "sed -n 's/.*\"batch\": \\([0-9]*\\).*/\\1/p' $folder/trial.json >> " + diary().string() + "\n";
  }
  [[nodiscard]] std::filesystem::path diary() const { return temporary_.path() / "diary"; }

  static std::vector<Trial> trials_with_batches(const std::vector<std::int64_t>& batches) {
    std::vector<Trial> trials;
    for (const std::int64_t batch : batches) {
      trials.push_back(script_trial(1));
      trials.back().job.sizes.batch = batch;
    }
    return trials;
  }

  TemporaryFolder temporary_;
  TemporaryFolder scratch_;
  CampaignOptions options_;
};

constexpr const char* kSteady = "beat 1 1; times='9, 9, 9, 1, 1.01, 1, 1, 0.99, 1, 1.01'; report";

TEST_F(CampaignTest, OneRoundWhereItIsPreciseEnough) {
  const CampaignResult done = run({script_trial(1)}, kSteady);
  ASSERT_EQ(done.results.size(), 1U);
  const TrialResult& result = done.results[0];
  EXPECT_TRUE(result.precise);
  EXPECT_EQ(result.rounds, 1);
  EXPECT_EQ(result.warmup_dropped, 3);
  EXPECT_THAT(result.iteration_times, ElementsAre(1, 1.01, 1, 1, 0.99, 1, 1.01));
  EXPECT_DOUBLE_EQ(result.iteration_s.median, 1);
  // Seven values: ranks 1 and 7, with P = 1 - 2/128.
  EXPECT_EQ(result.median_interval, (stats::Interval{0.99, 1.01}));
  EXPECT_DOUBLE_EQ(result.samples_per_s, 4);  // a batch of 4 in a second
  EXPECT_EQ(result.losses.size(), 10U);
  EXPECT_DOUBLE_EQ(result.loss, 1.01);
  EXPECT_DOUBLE_EQ(result.peak_rss_bytes, 7);
  EXPECT_THAT(done.machine, Contains(testing::Pair("shell", "sh")));
  EXPECT_THAT(done.machine, Contains(testing::Key("processor")));
}

TEST_F(CampaignTest, IterationsAreThoseOfTheSlowestWorker) {
  options_.budget_s = 0;  // one round
  const CampaignResult done =
      run({script_trial(2)},
          "beat 1 1; times='9, 9, 9, 2, 1, 2'; [ $SEXTANT_RANK = 1 ] && times='1, 1, 1, 1, 3, 1'\nreport");
  const TrialResult& result = done.results[0];
  EXPECT_THAT(result.iteration_times, ElementsAre(2, 3, 2));
  // Mean workers: 1.5, 2, 1.5.
  EXPECT_DOUBLE_EQ(result.breakdown.total_s, 1.5);
  // Their own medians are 2 and 1: a batch of 4 each.
  EXPECT_DOUBLE_EQ(result.samples_per_s, 4.0 / 2 + 4.0 / 1);
  EXPECT_DOUBLE_EQ(result.loss, (2 + 1) / 2.0);
}

// Times that depend on the round: never precise, so that the budget or the number of rounds decides.
std::string unsteady(const std::filesystem::path& diary) {
  return "beat 1 1; n=$(wc -l < " + diary.string() + "); times=\"1, 1, 1, $n, $n, $n, $n\"; report";
}

TEST_F(CampaignTest, GoesOnUntilTheBudgetIsSpent) {
  // Several rounds fit however busy the machine is: it says what a round takes.
  const auto begin = std::chrono::steady_clock::now();
  options_.budget_s = 0;
  run({script_trial(1)}, note() + unsteady(diary()));
  const std::chrono::duration<double> round = std::chrono::steady_clock::now() - begin;
  std::filesystem::remove(diary());
  options_.budget_s = std::max(1.0, 8 * round.count());
  const CampaignResult done = run({script_trial(1)}, note() + unsteady(diary()));
  const TrialResult& result = done.results[0];
  EXPECT_FALSE(result.precise);
  EXPECT_GE(result.rounds, 3);
  EXPECT_EQ(result.round_medians.size(), static_cast<std::size_t>(result.rounds));
  EXPECT_THAT(result.round_medians.front(), 1);
  EXPECT_THAT(result.warnings, Contains(HasSubstr("larger budget")));
  EXPECT_THAT(done.ending,
              testing::MatchesRegex("Stopped after [0-9]+ rounds in [0-9]+ s because the budget was spent: "
                                    "the median is known to [0-9.]+ %, and 2 % was asked.*"));
}

// Somebody who waits is told what for, and for how long at most.
TEST_F(CampaignTest, ProgressSaysWhatItWaitsFor) {
  class Notes final : public Progress {
   public:
    void step(std::int64_t, std::int64_t, const std::string& note) override { notes.push_back(note); }
    std::vector<std::string> notes;
  };
  options_.budget_s = 100;
  options_.least_rounds = 4;
  options_.precision = 10;  // enough after four rounds
  options_.supervise.worker = write_script(temporary_.path(), note() + unsteady(diary()));
  options_.supervise.scratch = scratch_.path();
  Notes progress;
  const CampaignResult one = run_campaign({script_trial(1)}, options_, progress);
  EXPECT_EQ(progress.notes.front(), "round 1: lenet5, single, 1 worker");
  EXPECT_THAT(progress.notes.back(),
              testing::MatchesRegex(
                  "median known to [0-9]+ %, asked 1000 %, 3 rounds, at most 1 min [34][0-9] s more"));
  EXPECT_THAT(one.ending, HasSubstr("Stopped after 4 rounds in"));
  EXPECT_THAT(one.ending, HasSubstr("because the median is known to"));
  run_campaign(trials_with_batches({4, 8}), options_, progress);
  EXPECT_THAT(progress.notes.back(),
              HasSubstr("of 2 medians known well enough, the least sure one known to"));
}

TEST_F(CampaignTest, OnlyThoseWhoNeedItGetAnotherRound) {
  options_.budget_s = 1;
  std::vector<Trial> trials = trials_with_batches({4, 8});
  const CampaignResult done = run(trials, note() + "grep -q '\"batch\": 4' $folder/trial.json && { " +
                                              kSteady + "; exit; }\n" + unsteady(diary()));
  EXPECT_EQ(done.results[0].rounds, 1);
  EXPECT_GT(done.results[1].rounds, 1);
}

TEST_F(CampaignTest, RoundsAreDrawnFromTheSeed) {
  options_.least_rounds = 4;
  const std::vector<Trial> trials = trials_with_batches({1, 2, 3, 4, 5});
  const auto diary_of = [&](std::uint64_t seed) {
    options_.seed = seed;
    std::filesystem::remove(diary());
    const CampaignResult done = run(trials, note() + kSteady);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      EXPECT_EQ(done.results[i].trial.job.sizes.batch, trials[i].job.sizes.batch);
      EXPECT_EQ(done.results[i].rounds, 4);
    }
    return read_text_file(diary().string());
  };
  const std::string once = diary_of(1);
  EXPECT_EQ(diary_of(1), once);
  EXPECT_NE(diary_of(2), once);
  // Each round has all trials, in different orders.
  const std::vector<std::string> lines = split(once, '\n');
  std::set<std::string> orders;
  for (std::size_t round = 0; round < 4; ++round) {
    std::vector<std::string> order(lines.begin() + static_cast<std::ptrdiff_t>(5 * round),
                                   lines.begin() + static_cast<std::ptrdiff_t>(5 * round + 5));
    orders.insert(join(order, " "));
    std::ranges::sort(order);
    EXPECT_EQ(join(order, " "), "1 2 3 4 5");
  }
  EXPECT_GT(orders.size(), 1U);
}

TEST_F(CampaignTest, EpochsAreTrainedOnce) {
  Trial trial = script_trial(1);
  trial.epochs = 2;
  options_.least_rounds = 5;
  const CampaignResult done = run({trial}, note() + unsteady(diary()));
  EXPECT_EQ(done.results[0].rounds, 1);
  EXPECT_EQ(done.results[0].losses.size(), 7U);
  EXPECT_THAT(done.ending, HasSubstr("Trained once"));
}

TEST_F(CampaignTest, OutliersAreCountedNotDropped) {
  options_.budget_s = 0;  // one round
  const CampaignResult done =
      run({script_trial(1)},
          "beat 1 1; times='1, 1, 1, 1, 1.01, 0.99, 1, 1.02, 0.98, 1, 1.01, 9, 9, 0.99'; report");
  EXPECT_EQ(done.results[0].outliers, 2);
  EXPECT_EQ(done.results[0].measured, 11);
  EXPECT_THAT(done.results[0].warnings, Contains(HasSubstr("2 of 11 iterations")));
}

TEST_F(CampaignTest, AFailureEndsItsTrialAlone) {
  options_.least_rounds = 2;
  const CampaignResult done =
      run(trials_with_batches({4, 8}),
          std::string("grep -q '\"batch\": 4' $folder/trial.json && exit 3\n") + kSteady);
  EXPECT_FALSE(done.results[0].last.outcome.completed);
  EXPECT_EQ(done.results[0].rounds, 0);
  EXPECT_THAT(done.results[0].last.outcome.failures.at(0).what, HasSubstr("exit 3"));
  EXPECT_EQ(done.results[1].rounds, 2);
}

TEST_F(CampaignTest, InterruptionKeepsWhatWasMeasured) {
  options_.least_rounds = 100;
  options_.supervise.interrupted = [&] {
    return std::filesystem::exists(diary()) && split(read_text_file(diary().string()), '\n').size() > 3;
  };
  const CampaignResult done = run({script_trial(1)}, note() + "sleep 0.1\n" + kSteady);
  EXPECT_TRUE(done.interrupted);
  EXPECT_THAT(done.ending, HasSubstr("Interrupted after 2 rounds"));
  EXPECT_EQ(done.results[0].rounds, 2);
  EXPECT_TRUE(done.results[0].last.outcome.completed);
}

TEST_F(CampaignTest, ChecksEveryTrialBeforeTheFirstStarts) {
  std::vector<Trial> trials = trials_with_batches({4, 8});
  trials[1].strategy = "al-reduce";
  EXPECT_THAT(sextant::test::error_of([&] { run(trials, note() + kSteady); }),
              HasSubstr("did you mean 'all-reduce'?"));
  EXPECT_FALSE(std::filesystem::exists(diary()));
  EXPECT_THAT(sextant::test::error_of([&] { run({}, kSteady); }), HasSubstr("nothing to measure"));
}

TEST_F(CampaignTest, LossThatIsNoNumberIsSaid) {
  const CampaignResult done =
      run({script_trial(1)},
          "beat 1 1; report; sed -i 's/\"losses\": .1, 2./\"losses\": [1, null]/' $folder/report.0.json");
  EXPECT_TRUE(std::isnan(done.results[0].loss));
  EXPECT_THAT(done.results[0].warnings, Contains(HasSubstr("diverged")));
}

}  // namespace
}  // namespace sextant::measure
