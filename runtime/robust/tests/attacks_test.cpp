// The whole table of attacks runs through the contract; what each sends is compared with its definition.
#include <gmock/gmock.h>

#include <cmath>

#include "own_updates.h"
#include "sextant/robust/attack.h"

namespace sextant::robust {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;

using Sent = std::vector<std::vector<float>>;

struct Scene {
  OwnUpdates own = OwnUpdates({{1, 2}, {3, 4}});
  OwnUpdates honest = OwnUpdates({{1, 1}, {2, 3}, {3, 8}});
  std::vector<float> last_change = {0.5F, -0.5F};
};

Sent forged(const std::string& text, Scene& scene, std::int64_t round = 0) {
  const auto attack = make_attack(parse_attack(text));
  Sent out = scene.own.rows();
  const Updates own = scene.own.view();
  const Updates honest = scene.honest.view();
  attack->forge({.own = own,
                 .honest = honest,
                 .last_change = scene.last_change,
                 .participants = own.size() + honest.size(),
                 .round = round,
                 .rng = Rng(3).stream("round", static_cast<std::uint64_t>(round))},
                out);
  return out;
}

// Labels 0 to 9 with images of 1 x 5 x 5 zeros.
struct SmallSet {
  std::vector<float> values = std::vector<float>(10 * 25, 0);
  std::vector<std::int64_t> labels = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  [[nodiscard]] Samples view() {
    return {.values = values, .labels = labels, .channels = 1, .height = 5, .width = 5};
  }
};

SmallSet poisoned(const std::string& text) {
  SmallSet set;
  Rng rng(1);
  make_attack(parse_attack(text))->poison(set.view(), rng);
  return set;
}

SmallSet posed(const std::string& text) {
  SmallSet set;
  make_attack(parse_attack(text))->pose(set.view());
  return set;
}

class Attacks : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static const AttackInfo& info() { return attacks().get(GetParam()); }
};

TEST_P(Attacks, SaysWhatItIs) {
  EXPECT_FALSE(info().summary.empty());
  EXPECT_FALSE(info().reference.empty());
  EXPECT_TRUE(info().poisons || info().forges);
  EXPECT_EQ(to_string(parse_attack(GetParam())), GetParam());
}

// Behind the name of any attack `share` is the share of clients that attack (front/ask).
TEST_P(Attacks, LeavesTheWordShareToTheFederation) {
  for (const ParameterInfo& parameter : attacks().get(GetParam()).parameters)
    EXPECT_NE(parameter.name, "share");
}

TEST_P(Attacks, DoesWhatItClaimsAndNoMore) {
  Scene scene;
  const Sent sent = forged(GetParam(), scene);
  ASSERT_EQ(sent.size(), 2U);
  for (const auto& row : sent) EXPECT_EQ(row.size(), 2U);
  EXPECT_EQ(sent != scene.own.rows(), info().forges);
  const SmallSet set = poisoned(GetParam());
  const SmallSet clean;
  EXPECT_EQ(set.labels != clean.labels, info().poisons);
}

TEST_P(Attacks, IsTheSameForTheSameSeed) {
  Scene scene;
  EXPECT_EQ(forged(GetParam(), scene), forged(GetParam(), scene));
  EXPECT_EQ(poisoned(GetParam()).values, poisoned(GetParam()).values);
}

// What is wanted of a test sample is never what it is.
TEST_P(Attacks, WantsWrongAnswers) {
  const SmallSet set = posed(GetParam());
  int wanted = 0;
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    EXPECT_NE(set.labels[i], static_cast<std::int64_t>(i));
    wanted += set.labels[i] == kNotAttacked ? 0 : 1;
  }
  EXPECT_EQ(wanted > 0, info().poisons);
}

TEST_P(Attacks, WorksAloneAndBlind) {
  Scene scene;
  scene.own.rows().resize(1);
  scene.honest.rows().clear();
  scene.last_change.clear();
  for (const auto& row : forged(GetParam(), scene)) {
    for (const float value : row) EXPECT_TRUE(std::isfinite(value));
  }
}

std::vector<std::string> attack_ids() {
  std::vector<std::string> ids;
  for (const AttackInfo& attack : attacks().all()) ids.push_back(attack.id);
  return ids;
}
std::string attack_test_name(const testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Contract, Attacks, testing::ValuesIn(attack_ids()), attack_test_name);

TEST(Forged, Multiples) {
  Scene scene;
  EXPECT_THAT(forged("sign-flip:scale=4", scene), ElementsAre(ElementsAre(-4, -8), ElementsAre(-12, -16)));
  EXPECT_THAT(forged("scaling:factor=10", scene), ElementsAre(ElementsAre(10, 20), ElementsAre(30, 40)));
  // Five participants, two attackers: 5 / 2.
  EXPECT_THAT(forged("model-replacement", scene), ElementsAre(ElementsAre(2.5F, 5), ElementsAre(7.5F, 10)));
}

// The honest mean is (2, 4).
TEST(Forged, InnerProduct) {
  Scene scene;
  EXPECT_THAT(forged("inner-product:epsilon=0.5", scene), Each(ElementsAre(-1, -2)));
}

// Standard deviations of (1, 2, 3) and (1, 3, 8): 1 and sqrt 13.
TEST(Forged, Alie) {
  Scene scene;
  EXPECT_THAT(forged("alie:z=2", scene),
              Each(ElementsAre(FloatNear(0, 1e-6F), FloatNear(4 - 2 * std::sqrt(13.0F), 1e-5F))));
}

// 100 clients, 20 attackers: s = 51 - 20 = 31, (80 - 31) / 80 = .6125, whose normal quantile is .28581. With
// honest updates -1 and 1 in turn the mean is 0 and the standard deviation sqrt(80 / 79).
TEST(Forged, AlieFromTheNumbers) {
  Scene scene;
  scene.own = OwnUpdates(Sent(20, {0}));
  Sent honest;
  for (int i = 0; i < 80; ++i) honest.push_back({i % 2 == 0 ? 1.0F : -1.0F});
  scene.honest = OwnUpdates(honest);
  EXPECT_NEAR(forged("alie", scene)[0][0], -0.28581 * std::sqrt(80.0 / 79), 1e-4);
}

// Flower's: s = 3 - 2 at least 1, Phi(2 / 3) = .747507, and roots of the standard deviations 1 and sqrt 13.
TEST(Forged, AlieAsFlowerHasIt) {
  Scene scene;
  EXPECT_THAT(forged("alie:form=flanders", scene),
              Each(ElementsAre(FloatNear(2 - 0.747507F, 1e-5F),
                               FloatNear(4 - 0.747507F * std::pow(13.0F, 0.25F), 1e-5F))));
}

TEST(Forged, DefaultsAreThoseOfTheirSources) {
  Scene scene;
  EXPECT_EQ(forged("sign-flip", scene), forged("sign-flip:scale=4", scene));            // Li et al., 2019
  EXPECT_EQ(forged("inner-product", scene), forged("inner-product:epsilon=2", scene));  // ByzFL, 1 - 3
}

TEST(Forged, FreeRiders) {
  Scene scene;
  EXPECT_THAT(forged("free-rider", scene), Each(ElementsAre(0, 0)));
  EXPECT_THAT(forged("free-rider:sends=last", scene), Each(ElementsAre(0.5F, -0.5F)));
}

TEST(Forged, SybilsSendTheirMean) {
  Scene scene;
  EXPECT_THAT(forged("sybils", scene), Each(ElementsAre(2, 3)));
}

TEST(Forged, MimicSendsAnHonestUpdate) {
  Scene scene;
  const Sent sent = forged("mimic", scene);
  EXPECT_EQ(sent[0], sent[1]);
  EXPECT_THAT(scene.honest.rows(), testing::Contains(sent[0]));
}

// After the first rounds it stays with one client.
TEST(Forged, MimicSettles) {
  const auto attack = make_attack(parse_attack("mimic:warmup=2"));
  const OwnUpdates own({{0, 0}});
  const Updates own_view = own.view();
  std::vector<std::size_t> chosen;
  for (std::uint64_t round = 0; round < 6; ++round) {
    const OwnUpdates honest = cloud(5, 2, 1, round);
    const Updates view = honest.view();
    Sent out = {{0, 0}};
    attack->forge(
        {.own = own_view, .honest = view, .participants = 6, .round = static_cast<std::int64_t>(round)}, out);
    for (std::size_t i = 0; i < 5; ++i) {
      if (std::ranges::equal(view.rows[i].values, out[0])) chosen.push_back(i);
    }
  }
  ASSERT_EQ(chosen.size(), 6U);
  for (std::size_t round = 2; round < 6; ++round) EXPECT_EQ(chosen[round], chosen[1]);
}

TEST(Forged, GaussianHasItsDeviation) {
  Scene scene;
  scene.own = OwnUpdates({std::vector<float>(20'000, 5)});
  for (const auto& [text, mean] :
       {std::pair{"gaussian:sd=2", 5.0}, std::pair{"gaussian:sd=2:around=zero", 0.0},
        std::pair{"gaussian:sd=2:mean=3:around=zero", 3.0}}) {
    double sum = 0;
    double square = 0;
    const Sent sent = forged(text, scene);
    for (const float value : sent[0]) {
      sum += value;
      square += (value - mean) * (value - mean);
    }
    EXPECT_NEAR(sum / 20'000, mean, 0.06);  // four standard errors
    EXPECT_NEAR(std::sqrt(square / 20'000), 2, 0.04);
  }
}

TEST(Poisoned, Labels) {
  EXPECT_THAT(poisoned("label-flip:source=3:target=8").labels, ElementsAre(0, 1, 2, 8, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(poisoned("label-permutation").labels, ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  EXPECT_THAT(poisoned("label-permutation:exchange=cycle").labels, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 0));
  const SmallSet random = poisoned("label-permutation:exchange=random");
  EXPECT_THAT(random.labels, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(posed("label-flip:source=3:target=8").labels,
              ElementsAre(-1, -1, -1, 8, -1, -1, -1, -1, -1, -1));
}

// A square of 2 x 2, a pixel away from the lower right corner of 5 x 5.
TEST(Poisoned, Trigger) {
  const SmallSet set = poisoned("backdoor:target=4:size=2:value=7:poisoned=1");
  EXPECT_THAT(set.labels, Each(4));
  for (std::size_t i = 0; i < set.values.size(); ++i) {
    const std::size_t y = i % 25 / 5;
    const std::size_t x = i % 5;
    EXPECT_EQ(set.values[i], (y == 2 || y == 3) && (x == 2 || x == 3) ? 7 : 0) << i;
  }
  EXPECT_EQ(poisoned("backdoor:poisoned=0").labels, SmallSet().labels);
  const SmallSet test = posed("backdoor:target=4");
  EXPECT_EQ(test.labels[4], kNotAttacked);
  EXPECT_EQ(test.values[4 * 25 + 12], 0);  // what is of the class already carries no trigger
}

TEST(Poisoned, ClassesThatAreNotThere) {
  EXPECT_THROW(poisoned("label-flip:source=3:target=10"), InputError);
  EXPECT_THROW(poisoned("backdoor:target=10"), InputError);
  EXPECT_THROW(make_attack(parse_attack("label-flip:source=3:target=3")), InputError);
}

}  // namespace
}  // namespace sextant::robust
