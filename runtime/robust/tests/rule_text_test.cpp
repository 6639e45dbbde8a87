#include <gmock/gmock.h>

#include "own_updates.h"
#include "sextant/robust/attack.h"
#include "sextant/robust/worker_momentum.h"

namespace sextant::robust {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RuleText, SlashesStandForColons) {
  EXPECT_EQ(to_string(parse_rule("krum/f=0.3/bucket=2")), "krum:f=0.3:bucket=2");
  EXPECT_EQ(to_string(parse_attack("ipm/epsilon=0.5")), "inner-product:epsilon=0.5");
}

TEST(RuleText, FaultsHaveAHint) {
  EXPECT_THAT(error_of([] { parse_rule("krun"); }), HasSubstr("did you mean 'krum'"));
  EXPECT_THAT(error_of([] { parse_rule("krum:g=1"); }), HasSubstr("'krum' has no parameter 'g'"));
  EXPECT_THAT(error_of([] { parse_rule("krum:f=1.5"); }), HasSubstr("neither a share nor a count"));
  EXPECT_THAT(error_of([] { parse_attack("sign-flop"); }), HasSubstr("sign-flip"));
}

TEST(RuleText, AttackersAreAShareOrACount) {
  EXPECT_EQ(assumed_attackers(parse_rule("krum:f=0.2"), 100), 20U);
  EXPECT_EQ(assumed_attackers(parse_rule("krum:f=7"), 100), 7U);
  EXPECT_EQ(assumed_attackers(parse_rule("krum:f=0.29"), 100), 29U);  // 0.29 * 100 is below 29 in binary
  EXPECT_EQ(assumed_attackers(parse_rule("krum:f=60"), 100), 48U);
  EXPECT_EQ(assumed_attackers(parse_rule("median"), 100), 49U);
  EXPECT_EQ(assumed_attackers(parse_rule("mean"), 100), 0U);
}

TEST(RuleText, TooFewUpdatesAreSaidBefore) {
  EXPECT_THAT(error_of([] { check_enough(parse_rule("bulyan:f=5"), 22, at_field("rule")); }),
              HasSubstr("withstands at most 4 attackers among 22 updates, and f asks for 5"));
  EXPECT_NO_THROW(check_enough(parse_rule("bulyan:f=5"), 23));
  EXPECT_NO_THROW(check_enough(parse_rule("mean"), 1));
  // Twelve updates are six buckets, and 6 >= 2 f + 3.
  EXPECT_THAT(error_of([] { check_enough(parse_rule("krum:f=2:bucket=2"), 12, at_field("rule")); }),
              HasSubstr("at most 1 attackers among 12 updates in buckets of 2, and f asks for 2"));
  EXPECT_NO_THROW(check_enough(parse_rule("krum:f=2:bucket=2"), 13));
}

// Buckets of two: twelve updates are six, one of which the attacker spoils.
TEST(Buckets, AttackersSpoilOneBucketEach) {
  OwnUpdates updates = cloud(12, 5, 1);
  updates.rows()[7].assign(5, 1e6F);
  const RoundResult result = aggregate("krum:f=1:bucket=2", updates.view());
  EXPECT_EQ(result.assumed_attackers, 1U);
  int flagged = 0;
  for (const Verdict& verdict : result.verdicts) flagged += verdict.flagged ? 1 : 0;
  EXPECT_EQ(flagged, 2);  // the attacker and who shares its bucket
  EXPECT_TRUE(result.verdicts[7].flagged);
  double sum = 0;
  for (const Verdict& verdict : result.verdicts) sum += verdict.weight;
  EXPECT_NEAR(sum, 1, 1e-9);
}

// m = .9 m + .1 g: .1, then .9 * .1 + .1 * 2, then .9 * .29 + .1 * 3.
TEST(WorkerMomentum, IsARunningMean) {
  WorkerMomentum momentum(0.9);
  std::vector<float> sent;
  for (const float gradient : {1.0F, 2.0F, 3.0F}) {
    std::vector<float> values = {gradient};
    momentum.apply(values);
    sent.push_back(values[0]);
  }
  EXPECT_THAT(sent, ElementsAre(FloatNear(0.1F, 1e-6F), FloatNear(0.29F, 1e-6F), FloatNear(0.561F, 1e-6F)));
}

}  // namespace
}  // namespace sextant::robust
