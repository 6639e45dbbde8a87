// Offers over the built-in catalogue: prices, limits, and growing jobs.
#include "sextant/plan/offers.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sextant/plan/scale.h"

namespace sextant::plan {
namespace {

using testing::HasSubstr;

const catalog::Catalog& catalog() {
  static const catalog::Catalog all = catalog::builtin_catalog();
  return all;
}

Training training(const std::string& net = "resnet50", std::int64_t batch = 32) {
  static const auto kernel = predict::predictors().get("kernel").make({.catalog = &catalog()});
  Training t{.catalog = catalog(), .network = nets::zoo().get(net), .predictor = *kernel, .job = {}};
  t.job.net = net;
  t.job.sizes.batch = batch;
  t.job.stack = "tensorflow";
  t.job.duration = jobs::Duration{90, 1281167};
  return t;
}

Offers find(const Training& t, const Market& market) {
  NoProgress silent;
  return find_offers(t, market, silent);
}

bool refused(const Offers& offers, parallel::Limit limit) {
  return std::ranges::find(offers.refusals, limit, &Refusal::limit) != offers.refusals.end();
}

// 8 machines of 8 GPUs with 32 samples each take 2,048 of 1,281,167 samples a step: 626 steps an epoch.
TEST(Offers, CountStepsAndDollars) {
  const Offers offers =
      find(training(), {.machines = {"aws/p3.16xlarge"}, .counts = {8}, .region = "us-east-1"});
  ASSERT_EQ(offers.list.size(), 1U);
  const Offer& o = offers.list.front();
  EXPECT_EQ(o.pool.gpus, 64);
  EXPECT_EQ(o.pool.nodes(), 8);
  EXPECT_EQ(o.global_batch, 2048);
  EXPECT_NEAR(o.time.value, 300 + 90 * 626 * o.step.iteration.value, 1e-6 * o.time.value);
  const catalog::Price* price = find_price(catalog().machines.get(o.pool.machine), "us-east-1");
  const Seconds billed{std::ceil(o.time.value)};
  EXPECT_NEAR(o.cost.value, (8.0 * *price->on_demand * billed).value, 1e-6 * o.cost.value);
  EXPECT_NEAR(o.pool.hour_price.value, (*price->on_demand * kHour).value / 8, 1e-9);
}

TEST(Renting, RoundsUpAndHasALeast) {
  const Renting minutes{.startup = {}, .minimum = Seconds{60}, .increment = Seconds{60}};
  EXPECT_EQ(minutes.billed(Seconds{5}), Seconds{60});
  EXPECT_EQ(minutes.billed(Seconds{61}), Seconds{120});
  EXPECT_EQ(Renting{}.billed(Seconds{5}), Seconds{5});
}

TEST(Offers, AStepNeverTakesMoreThanTheDataSet) {
  Training t = training();
  t.job.duration = jobs::Duration{1, 1000};
  const Offers offers = find(t, {.machines = {"aws/p3.16xlarge"}, .counts = {1, 2, 4, 8}});
  EXPECT_EQ(offers.list.size(), 2U) << "256 and 512 samples, but not 1,024";
  EXPECT_TRUE(refused(offers, parallel::Limit::batch));
  NoProgress silent;
  const ScaleAnswer scaled =
      scale(t, {}, {.machine = "aws/p3.2xlarge", .samples = {64, 128}, .most = 8}, silent);
  EXPECT_EQ(scaled.curves[0].points.size(), 2U);
  EXPECT_EQ(scaled.curves[1].points.size(), 4U);
}

TEST(Offers, OnlyWhatTheStackRunsOnUnlessNamed) {
  Training t = training();
  t.job.stack = "pytorch";
  const Offers all = find(t, {.counts = {1}});
  for (const Offer& offer : all.list) EXPECT_NE(offer.pool.type, "radeon-pro-v520");
  EXPECT_TRUE(std::ranges::any_of(all.list, [](const Offer& o) { return o.pool.type == "h100-sxm-80gb"; }));
  const Offers named = find(t, {.machines = {"aws/g4ad.xlarge", "aws/p3.2xlarge"}, .counts = {1}});
  ASSERT_EQ(named.list.size(), 2U);
  EXPECT_FALSE(named.list[0].supported);
  EXPECT_TRUE(named.list[1].supported);
}

TEST(Offers, SpotIsCheaper) {
  const Market on_demand{.machines = {"aws/p3.2xlarge"}, .counts = {1}};
  Market spot = on_demand;
  spot.spot = true;
  EXPECT_LT(find(training(), spot).list.front().cost, find(training(), on_demand).list.front().cost);
}

TEST(Offers, SayWhyOthersAreMissing) {
  Training t = training();
  t.global_batch = 96;
  const Offers uneven = find(t, {.machines = {"aws/p3.16xlarge"}, .counts = {1, 8}});
  EXPECT_EQ(uneven.list.size(), 1U) << "8 GPUs divide 96, 64 do not";
  EXPECT_TRUE(refused(uneven, parallel::Limit::divisibility));
  const Offers apart = find(training(), {.machines = {"lambda/gpu-8x-v100"}, .counts = {1, 2}});
  EXPECT_TRUE(refused(apart, parallel::Limit::link));
  EXPECT_EQ(find(training(), {.machines = {"lambda/gpu-8x-v100"}, .counts = {1, 2}, .link = "ethernet-25g"})
                .list.size(),
            2U);
  const Offers large = find(training("gpt3-13b", 1), {.machines = {"aws/p3.2xlarge"}, .counts = {1}});
  ASSERT_TRUE(refused(large, parallel::Limit::memory));
  EXPECT_GT(large.refusals.front().excess, 1);
  EXPECT_THAT(large.refusals.front().example, HasSubstr("of 15.0 GiB"));
}

// 2.7 billion parameters with Adam take 16 bytes each, and 48 GiB of activations come on top of them.
TEST(Offers, ShardingMakesRoom) {
  Training t = training("gpt3-2.7b", 1);
  t.job.optimizer = jobs::Optimizer::adam;
  Market market{.machines = {"aws/p4de.24xlarge"}, .counts = {1}, .strategies = {"data"}};
  EXPECT_TRUE(find(t, market).list.empty());
  market.strategies.clear();
  const Offers offers = find(t, market);
  ASSERT_FALSE(offers.list.empty());
  EXPECT_LE(offers.list.front().step.memory.total(), catalog().gpus.get("a100-sxm4-80gb").memory);
}

TEST(Offers, UnknownNamesAreErrors) {
  EXPECT_THROW(find(training(), {.region = "atlantis"}), InputError);
  EXPECT_THROW(find(training(), {.machines = {"aws/p3.3xlarge"}}), InputError);
  EXPECT_THROW(find(training(), {.strategies = {"dada"}}), InputError);
}

TEST(Offers, AreTheSameTwice) {
  const Market market{.counts = {1, 4}};
  const Offers a = find(training(), market);
  const Offers b = find(training(), market);
  ASSERT_EQ(a.list.size(), b.list.size());
  for (std::size_t i = 0; i < a.list.size(); ++i) EXPECT_EQ(a.list[i].cost, b.list[i].cost);
}

TEST(Scale, MoreSamplesNeedMoreMachines) {
  NoProgress silent;
  const ScaleRequest request{.machine = "aws/p3.2xlarge",
                             .samples = {100'000, 200'000, 400'000},
                             .deadline = 12 * kHour,
                             .most = 16};
  const ScaleAnswer answer = scale(training(), {}, request, silent);
  std::int64_t before = 0;
  for (const ScaleCurve& curve : answer.curves) {
    ASSERT_TRUE(curve.enough);
    const std::int64_t machines = curve.points[*curve.enough].offer.pool.nodes();
    EXPECT_GT(machines, before);
    EXPECT_LE(curve.points[*curve.enough].offer.time, 12 * kHour);
    if (*curve.enough > 0) {
      EXPECT_GT(curve.points[*curve.enough - 1].offer.time, 12 * kHour);
    }
    before = machines;
  }
}

TEST(Scale, ASlowNetworkStopsPayingEarlier) {
  NoProgress silent;
  ScaleRequest request{.machine = "aws/p3.2xlarge", .samples = {1'281'167}, .most = 32};
  const auto last = [&](const std::string& network) {
    Training t = training("resnet50", 32);
    catalog::Catalog slow = catalog();
    catalog::Machine changed = slow.machines.get(request.machine);
    changed.node_link = network;
    changed.node_link_bandwidth.reset();
    slow.machines = Registry<catalog::Machine>("machine", {changed});
    const Training there{.catalog = slow, .network = t.network, .predictor = t.predictor, .job = t.job};
    const ScaleAnswer answer = scale(there, {.strategies = {"data"}}, request, silent);
    return answer.curves.front().last_paying.value_or(request.most);
  };
  EXPECT_LT(last("ethernet-1g"), last("ethernet-100g"));
}

}  // namespace
}  // namespace sextant::plan
