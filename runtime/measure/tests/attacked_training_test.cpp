// Data-parallel training with a parameter server while workers attack, with the model of ten lines.
#include <gmock/gmock.h>

#include "strategy_runs.h"

namespace sextant::measure {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kWorkers = 8;

std::vector<RankRun> trained(const std::string& strategy, std::int64_t servers = 1, std::int64_t steps = 20) {
  return run_strategy(
      {.trial = small_trial(strategy, kWorkers, servers), .steps = steps, .global_batch = 64});
}

double last_loss(const std::string& strategy) {
  return trained(strategy)[0].losses.back();
}

std::string refusal(const std::string& strategy, std::int64_t workers) {
  const PluginText text = split_plugin_text(strategy);
  const TrainingStrategyInfo& info = training_strategies().get(text.id);
  try {
    info.check(small_trial(strategy, workers, 1), parameters_of(info, text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A rule that is the mean, by another way through the server: the same up to rounding.
TEST(AttackedTraining, WithoutAttackTheMeanIsTheMean) {
  const auto plain = trained("ps-sync", 2);
  const auto ruled = trained("ps-sync:rule=mean", 2);
  for (std::size_t i = 0; i < plain[0].parameters.size(); ++i) {
    ASSERT_NEAR(plain[0].parameters[i], ruled[0].parameters[i], 2e-6);
  }
}

TEST(AttackedTraining, RulesWithstandWhatBreaksTheMean) {
  const double clean = last_loss("ps-sync");
  const std::string attack = ":attack=sign-flip/scale=50:attackers=2";
  const double broken = last_loss("ps-sync" + attack);
  EXPECT_GT(broken, 100 * clean);
  for (const char* rule : {"krum/f=2", "multi-krum/f=2", "median", "trimmed-mean/f=2", "geometric-median",
                           "dnc/f=2", "sign-guard"}) {
    EXPECT_LT(last_loss("ps-sync:rule=" + std::string(rule) + attack), 2 * clean) << rule;
  }
}

TEST(AttackedTraining, RanksAgreeAndRepeatToTheBit) {
  const std::string strategy =
      "ps-sync:rule=krum/f=2/bucket=1:attack=gaussian/sd=3:attackers=2:worker-momentum=0.9";
  const auto first = trained(strategy, 3, 5);
  const auto second = trained(strategy, 3, 5);
  for (std::int64_t rank = 0; rank < kWorkers; ++rank) {
    EXPECT_EQ(first[static_cast<std::size_t>(rank)].parameters, second[0].parameters) << rank;
  }
}

// Poisoned labels reach the loss of attackers alone.
TEST(AttackedTraining, PoisonsTheDataOfAttackersOnly) {
  const auto run_with = [](const std::string& strategy) {
    RunOptions options{.trial = small_trial(strategy, 4, 1), .steps = 1, .global_batch = 64};
    options.samples = {.shape = {.channels = 1, .height = 5, .width = 8}, .classes = 5};
    return run_strategy(options);
  };
  const auto clean = run_with("ps-sync");
  const auto attacked = run_with("ps-sync:attack=label-permutation:attackers=1");
  for (std::size_t worker = 0; worker < 3; ++worker) EXPECT_EQ(attacked[worker].losses, clean[worker].losses);
  EXPECT_NE(attacked[3].losses, clean[3].losses);
  EXPECT_THROW(trained("ps-sync:attack=label-permutation"), InputError);  // of drawn input
}

// The first step of worker momentum is a tenth of the gradient, so it goes as far with ten times the learning
// rate.
TEST(AttackedTraining, WorkerMomentumStartsFromZero) {
  RunOptions options{.trial = small_trial("ps-sync", kWorkers, 1), .steps = 1, .global_batch = 64};
  const auto plain = run_strategy(options);
  options.trial.strategy = "ps-sync:worker-momentum=0.9";
  options.trial.learning_rate *= 10;
  const auto slow = run_strategy(options);
  for (std::size_t i = 0; i < plain[0].parameters.size(); ++i) {
    ASSERT_NEAR(slow[0].parameters[i], plain[0].parameters[i], 2e-6);
  }
}

TEST(AttackedTraining, FaultsAreSaidBeforeTheStart) {
  EXPECT_THAT(refusal("ps-sync:rule=krun", 8), HasSubstr("did you mean 'krum'"));
  EXPECT_THAT(refusal("ps-sync:rule=bulyan/f=2", 8), HasSubstr("at most 1 attackers among 8 updates"));
  EXPECT_THAT(refusal("ps-sync:attack=alie:attackers=4", 4), HasSubstr("leave nobody honest"));
  EXPECT_THAT(refusal("ps-sync:attack=label-flip/source=1/target=1", 4), HasSubstr("no label would change"));
  EXPECT_EQ(refusal("ps-sync:rule=bulyan/f=1:attack=alie", 8), "");
}

}  // namespace
}  // namespace sextant::measure
