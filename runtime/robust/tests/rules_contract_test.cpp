// What every rule is held to, whatever it is: the whole table runs through this.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "own_updates.h"

namespace sextant::robust {
namespace {

constexpr std::size_t kClients = 23;
constexpr std::size_t kDimension = 37;  // not a multiple of the vector lanes

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    square += difference * difference;
  }
  return std::sqrt(square);
}

bool all_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

class Rules : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static const AggregationRuleInfo& info() { return rules().get(GetParam()); }
  [[nodiscard]] static std::size_t most() { return info().most_attackers(kClients); }
  static RoundResult run(const Updates& updates, const AggregatorSetup& setup = {}) {
    const AggregationRuleInfo& rule = info();
    RuleChoice choice{.rule = &rule, .parameters = Parameters(rule)};
    if (std::ranges::find(rule.parameters, "f", &ParameterInfo::name) != rule.parameters.end()) {
      choice.parameters.set("f", static_cast<double>(most()));
    }
    return Aggregator(choice, setup).aggregate(updates, 0);
  }
};

TEST_P(Rules, SaysWhatItIs) {
  EXPECT_FALSE(info().summary.empty());
  EXPECT_FALSE(info().reference.empty());
  EXPECT_FALSE(info().cost.empty());
  ASSERT_NE(info().most_attackers, nullptr);
  EXPECT_LT(most(), kClients);
  EXPECT_EQ(to_string(parse_rule(GetParam())), GetParam());
}

// Equal updates leave nothing to decide.
TEST_P(Rules, KeepsWhatAllAgreeOn) {
  const std::vector<float> same(kDimension, 0.5F);
  const OwnUpdates updates(std::vector<std::vector<float>>(kClients, same));
  EXPECT_LT(distance(run(updates.view()).values, same), 1e-5);
}

TEST_P(Rules, OrderDoesNotMatter) {
  if (!info().claims.permutation_invariant) GTEST_SKIP() << "not claimed";
  const OwnUpdates updates = cloud(kClients, kDimension, 1);
  const Updates view = updates.view();
  const RoundResult result = run(view);
  Updates turned = view;
  std::rotate(turned.rows.begin(), turned.rows.begin() + 5, turned.rows.end());
  std::swap(turned.rows[2], turned.rows[11]);
  const RoundResult again = run(turned);
  EXPECT_LT(distance(result.values, again.values), 1e-5);
  for (std::size_t i = 0; i < kClients; ++i) {
    const auto place = static_cast<std::size_t>(turned.rows[i].client);
    EXPECT_NEAR(again.verdicts[i].weight, result.verdicts[place].weight, 1e-6);
    EXPECT_EQ(again.verdicts[i].flagged, result.verdicts[place].flagged);
  }
}

TEST_P(Rules, MovesWithTheUpdates) {
  if (!info().claims.translation_equivariant) GTEST_SKIP() << "not claimed";
  OwnUpdates updates = cloud(kClients, kDimension, 0);
  std::vector<float> expected = run(updates.view()).values;
  for (auto& row : updates.rows()) {
    for (std::size_t i = 0; i < kDimension; ++i) row[i] += 4 + static_cast<float>(i);
  }
  for (std::size_t i = 0; i < kDimension; ++i) expected[i] += 4 + static_cast<float>(i);
  EXPECT_LT(distance(run(updates.view()).values, expected), 1e-3);
}

// Attackers at a distance that grows by factors of a million, each in a direction of its own, or all at the
// same place: the result stays within a few lengths of an honest update.
TEST_P(Rules, AttackersBelowTheBreakdownPointMoveItLittle) {
  const std::size_t attackers = most();
  if (attackers == 0) GTEST_SKIP() << "withstands no attacker";
  const std::vector<float> center(kDimension, 1);
  for (const bool together : {true, false}) {
    if (!together && !info().claims.bounded) continue;
    for (const double far : {1e2, 1e8, 1e15, 1e30}) {
      OwnUpdates updates = cloud(kClients, kDimension, 1);
      Rng rng = Rng(7).stream("attackers");
      for (std::size_t i = kClients - attackers; i < kClients; ++i) {
        const double own = together ? 1 : rng.normal();
        for (std::size_t k = 0; k < kDimension; ++k) {
          updates.rows()[i][k] = static_cast<float>(together ? far : far * own * rng.normal());
        }
      }
      const RoundResult result = run(updates.view());
      EXPECT_LE(distance(result.values, center), 5 * std::sqrt(2.0 * kDimension)) << far << " " << together;
      EXPECT_TRUE(all_finite(result.values));
    }
  }
}

// What is claimed not to hold does not: otherwise the claim is too modest.
TEST_P(Rules, MoreAttackersThanTheBreakdownPointMoveItFar) {
  const std::size_t majority = kClients / 2 + 2;
  OwnUpdates updates = cloud(kClients, kDimension, 1);
  for (std::size_t i = 0; i < majority; ++i) updates.rows()[i].assign(kDimension, 1e6F);
  if (GetParam() == "fools-gold") GTEST_SKIP() << "those who agree are its prey, however many they are";
  EXPECT_GT(distance(run(updates.view()).values, std::vector<float>(kDimension, 1)), 1e3);
}

TEST_P(Rules, RefusesWhatIsNotFinite) {
  OwnUpdates updates = cloud(kClients, kDimension, 1);
  updates.rows()[3][30] = std::numeric_limits<float>::quiet_NaN();
  updates.rows()[8][0] = std::numeric_limits<float>::infinity();
  updates.rows()[9][kDimension - 1] = -std::numeric_limits<float>::infinity();
  const RoundResult result = run(updates.view());
  EXPECT_TRUE(all_finite(result.values));
  for (std::size_t i = 0; i < kClients; ++i) {
    const bool bad = i == 3 || i == 8 || i == 9;
    EXPECT_EQ(result.refusals[i], bad ? Refusal::not_finite : Refusal::none) << i;
    if (!bad) continue;
    EXPECT_TRUE(result.verdicts[i].flagged);
    EXPECT_EQ(result.verdicts[i].weight, 0);
  }
  EXPECT_EQ(result.used, kClients - 3);
}

TEST_P(Rules, RefusesAnotherLength) {
  OwnUpdates updates = cloud(kClients, kDimension, 1);
  updates.rows()[4].resize(kDimension - 1);
  updates.rows()[5].clear();
  updates.rows()[6].resize(1000, 1);
  const RoundResult result = run(updates.view());
  ASSERT_EQ(result.values.size(), kDimension);
  EXPECT_TRUE(all_finite(result.values));
  for (const std::size_t i : {4U, 5U, 6U}) EXPECT_EQ(result.refusals[i], Refusal::wrong_length);
}

TEST_P(Rules, SaysZeroWhereNothingIsLeft) {
  const OwnUpdates updates({{std::numeric_limits<float>::quiet_NaN(), 1}});
  const RoundResult result = run(updates.view());
  EXPECT_EQ(result.used, 0U);
  EXPECT_EQ(result.values, std::vector<float>(2, 0));
}

// The largest floats overflow their squares and sums.
TEST_P(Rules, StaysFiniteWithTheLargestFloats) {
  OwnUpdates updates = cloud(kClients, kDimension, 1);
  for (const std::size_t i : {0U, 1U, 2U}) {
    updates.rows()[i].assign(kDimension, (i == 1 ? -1 : 1) * std::numeric_limits<float>::max());
  }
  EXPECT_TRUE(all_finite(run(updates.view()).values));
  for (auto& row : updates.rows()) row.assign(kDimension, std::numeric_limits<float>::max());
  EXPECT_TRUE(all_finite(run(updates.view()).values));
}

// From one client on, whatever f asks for: with few of them a rule withstands fewer.
TEST_P(Rules, TakesAnyNumberOfUpdates) {
  for (std::size_t n = 1; n <= 9; ++n) {
    const OwnUpdates updates = cloud(n, 3, 1, n);
    const RoundResult result = run(updates.view());
    EXPECT_TRUE(all_finite(result.values)) << n;
    EXPECT_LT(distance(result.values, {1, 1, 1}), 10) << n;
    EXPECT_EQ(result.verdicts.size(), n);
  }
}

TEST_P(Rules, WeightsAreAtMostOneInAll) {
  const OwnUpdates updates = cloud(kClients, kDimension, 1);
  double sum = 0;
  for (const Verdict& verdict : run(updates.view()).verdicts) {
    EXPECT_GE(verdict.weight, 0);
    EXPECT_TRUE(std::isfinite(verdict.score));
    sum += verdict.weight;
  }
  EXPECT_GT(sum, 0);
  EXPECT_LT(sum, 1 + 1e-9);
}

// Long enough for several pieces of work.
TEST_P(Rules, ThreadsChangeNothing) {
  const OwnUpdates updates = cloud(9, 40'000, 1);
  const RoundResult one = run(updates.view());
  const RoundResult three = run(updates.view(), {.threads = 3});
  EXPECT_EQ(one.values, three.values);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(one.verdicts[i].score, three.verdicts[i].score);
}

// A server that starts again with the memory goes on as if it had not stopped.
TEST_P(Rules, GoesOnFromItsMemory) {
  const RuleChoice choice = parse_rule(GetParam());
  const OwnUpdates first = cloud(kClients, kDimension, 1, 1);
  const OwnUpdates second = cloud(kClients, kDimension, 1, 2);
  Aggregator lasting(choice, {});
  lasting.aggregate(first.view(), 0);
  const RuleMemory memory = lasting.memory();
  EXPECT_EQ(!memory.values.empty(), info().claims.keeps_memory);
  Aggregator started(choice, {});
  started.remember(memory);
  EXPECT_EQ(lasting.aggregate(second.view(), 1).values, started.aggregate(second.view(), 1).values);
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const AggregationRuleInfo& rule : rules().all()) ids.push_back(rule.id);
  return ids;
}

std::string test_name(const testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Contract, Rules, testing::ValuesIn(rule_ids()), test_name);

}  // namespace
}  // namespace sextant::robust
