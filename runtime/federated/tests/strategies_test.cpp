#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sextant/federated/strategy.h"
#include "sextant/robust/aggregator.h"

namespace sextant::federated {
namespace {

struct Worked {
  std::vector<UpdateNote> notes;
  std::vector<float> updates;
};

// One weight, which starts at 0.
double after_one_round(const std::string& text, const Worked& worked) {
  Federation federation;
  federation.strategy = text;
  const auto strategy = make_strategy(federation, 1);
  const std::vector<double> factors = strategy->scale(worked.notes);
  std::vector<std::vector<float>> rows;
  robust::Updates updates{.dimension = 1};
  for (std::size_t i = 0; i < worked.notes.size(); ++i) {
    rows.push_back({static_cast<float>(worked.updates[i] * factors[i])});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    updates.rows.push_back({rows[i], worked.notes[i].client, static_cast<double>(worked.notes[i].samples)});
  }
  robust::Aggregator mean(robust::parse_rule("mean"), {});
  std::vector<float> model = {0};
  strategy->apply(model, mean.aggregate(updates, 1).values);
  return model[0];
}

UpdateNote note(std::int64_t client, std::int64_t samples, std::int64_t steps) {
  return {.client = client, .samples = samples, .steps = steps};
}

TEST(FedAvg, WeighsBySamples) {
  // (100 * 1 + 300 * 2) / 400
  EXPECT_NEAR(after_one_round("fedavg", {{note(0, 100, 1), note(1, 300, 1)}, {1, 2}}), 1.75, 1e-6);
}

TEST(FedNova, DividesByStepsAndMultipliesByTheirMean) {
  const Worked worked{{note(0, 1, 2), note(1, 3, 10)}, {0.3F, 1.0F}};
  // p = 1/4, 3/4; steps 2, 10; 8 * (1/4 * 0.3 / 2 + 3/4 * 1.0 / 10) = 0.9; FedAvg: 1/4 * 0.3 + 3/4 * 1.0
  EXPECT_NEAR(after_one_round("fednova", worked), 0.9, 1e-6);
  EXPECT_NEAR(after_one_round("fedavg", worked), 0.825, 1e-6);
}

TEST(FedNova, CountsWhatMomentumAdds) {
  // The gradients of three steps count 1 + 0.9 + 0.81, 1 + 0.9 and 1.
  EXPECT_NEAR(effective_steps(3, 0.9), 5.61, 1e-9);
  EXPECT_EQ(effective_steps(7, 0), 7);
}

TEST(FedProx, TellsClientsItsWeight) {
  Federation federation;
  federation.strategy = "fedprox:mu=0.3";
  EXPECT_EQ(make_strategy(federation, 1)->proximal(), 0.3);
  federation.strategy = "fedavg";
  EXPECT_EQ(make_strategy(federation, 1)->proximal(), 0);
}

TEST(FedAdam, MovesAsThePaperSays) {
  // m = 0.1 * 2 = 0.2, v = 0.99 * 1e-6 + 0.01 * 4; 0.01 * m / (sqrt(v) + 0.001)
  const double expected = 0.01 * 0.2 / (std::sqrt(0.99e-6 + 0.04) + 1e-3);
  EXPECT_NEAR(after_one_round("fedadam", {{note(0, 1, 1)}, {2}}), expected, 1e-8);
}

TEST(Tifl, FasterTiersAreMoreLikely) {
  const std::vector<double> three = tier_probabilities(3);
  EXPECT_NEAR(three[0], 1.0 / 2, 1e-12);
  EXPECT_NEAR(three[1], 1.0 / 3, 1e-12);
  EXPECT_NEAR(three[2], 1.0 / 6, 1e-12);
}

TEST(Tifl, ChoosesFromOneTierAsOftenAsItsCreditsAllow) {
  Federation federation;
  federation.clients = 9;
  federation.strategy = "tifl:tiers=3:credits=10";
  const auto strategy = make_strategy(federation, 1);
  const std::vector<double> latency = {9, 1, 5, 8, 2, 6, 7, 3, 4};  // tiers {1, 4, 7}, {2, 5, 8}, {0, 3, 6}
  std::vector<std::int64_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::map<std::vector<std::int64_t>, int> times;
  for (std::int64_t round = 1; round <= 30; ++round) {
    ++times[strategy->choose({.round = round, .clients = all, .latency = latency, .wanted = 3},
                             Rng(1).stream("r", static_cast<std::uint64_t>(round)))];
  }
  const std::map<std::vector<std::int64_t>, int> expected = {
      {{1, 4, 7}, 10}, {{2, 5, 8}, 10}, {{0, 3, 6}, 10}};
  EXPECT_EQ(times, expected);
}

TEST(Selection, DrawsEachClientAsOften) {
  const std::vector<std::int64_t> all = {2, 3, 5, 7};
  std::map<std::int64_t, int> times;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Rng rng = Rng(9).stream("draw", i);
    const std::vector<std::int64_t> drawn = drawn_clients(all, 2, rng);
    ASSERT_EQ(drawn.size(), 2U);
    ASSERT_LT(drawn[0], drawn[1]);
    for (const std::int64_t client : drawn) ++times[client];
  }
  // Binomial(4000, 1/2): five deviations are 158.
  for (const std::int64_t client : all) EXPECT_NEAR(times[client], 2000, 158);
}

// Contract: whatever the strategy, a round chooses no more than wanted among those who are there, and an
// update of nothing leaves the model as it is.
class EveryStrategy : public testing::TestWithParam<std::string> {};

TEST_P(EveryStrategy, ChoosesAmongThoseWhoAreThere) {
  Federation federation;
  federation.clients = 20;
  federation.strategy = GetParam();
  const auto strategy = make_strategy(federation, 3);
  std::vector<double> latency;
  for (int i = 0; i < 20; ++i) latency.push_back(1 + i % 7);
  const std::vector<std::int64_t> there = {1, 4, 5, 9, 16, 19};
  for (std::uint64_t round = 1; round < 40; ++round) {
    const auto chosen = strategy->choose(
        {.round = static_cast<std::int64_t>(round), .clients = there, .latency = latency, .wanted = 3},
        Rng(2).stream("r", round));
    EXPECT_GE(chosen.size(), 1U);
    EXPECT_LE(chosen.size(), 3U);
    EXPECT_TRUE(std::ranges::includes(there, chosen));
  }
}

TEST_P(EveryStrategy, LeavesTheModelWhereNothingWasLearnt) {
  Federation federation;
  federation.strategy = GetParam();
  const auto strategy = make_strategy(federation, 2);
  std::vector<float> model = {1, -2};
  strategy->apply(model, std::vector<float>{0, 0});
  EXPECT_EQ(model, (std::vector<float>{1, -2}));
}

std::vector<std::string> strategy_ids() {
  std::vector<std::string> ids;
  for (const FederatedStrategyInfo& info : federated_strategies().all()) ids.push_back(info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Contract, EveryStrategy, testing::ValuesIn(strategy_ids()),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace sextant::federated
