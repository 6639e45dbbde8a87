#include "sextant/parallel/oracle.h"

#include <gtest/gtest.h>

#include "convnets.h"
#include "synthetic.h"

namespace sextant::parallel {
namespace {

TEST(Oracle, RanksWhatFitsThenWhatDoesNotThenWhatCannotBe) {
  const Workload load = vgg16();
  ParallelQuery query = query_of(load, 16, 512);
  query.devices[0].memory = Bytes{3e9};
  std::vector<Candidate> list;
  for (const ParallelStrategyInfo& strategy : parallel_strategies().all()) {
    list.push_back(best_variant(strategy, query));
  }
  rank(list);
  int groups = 0;
  int before = 0;
  double time = 0;
  for (const Candidate& candidate : list) {
    const int group = !candidate.result ? 2 : candidate.result->fill > 1 ? 1 : 0;
    EXPECT_GE(group, before);
    groups += group != before ? 1 : 0;
    before = group;
    EXPECT_TRUE(group < 2 || !candidate.result.why().reason.empty());
    if (group != 0) continue;
    EXPECT_GE(candidate.result->step().value, time);
    time = candidate.result->step().value;
  }
  EXPECT_EQ(groups, 2) << "all three kinds are there";
}

TEST(Oracle, TheBestVariantIsNoSlowerThanTheDefaultsAndFits) {
  const Workload load = resnet50();
  for (const std::int64_t devices : {4, 8, 16}) {
    const ParallelQuery query = query_of(load, devices, 256);
    for (const ParallelStrategyInfo& strategy : parallel_strategies().all()) {
      const ParallelResult usual = cost_of(strategy.id, query);
      const Candidate best = best_variant(strategy, query);
      if (!usual || usual->fill > 1) continue;
      ASSERT_TRUE(best.result) << strategy.id;
      EXPECT_LE(best.result->fill, 1) << strategy.id;
      EXPECT_LE(best.result->step().value, usual->step().value * (1 + 1e-12)) << strategy.id;
    }
  }
}

// 64 V100s in nodes of four with NVLink, 100 Gbit/s between them. In ResNet-50 activations are large and
// weights few: tiles of maps cost less than gathered channels, and data parallelism least. In VGG-16 with few
// samples the weights of the dense layers dominate: those who hold a quarter of them have less to sum.
TEST(Oracle, ActivationsFavourTilesAndWeightsFavourFilters) {
  const Workload resnet = resnet50();
  const Workload vgg = vgg16();
  const auto step = [](std::string_view text, const Workload& load, double batch) {
    ParallelQuery query = query_of(load, 64, batch);
    query.fabric.inside = {Seconds{20e-6}, Bandwidth{50e9}};
    return cost_of(text, query)->step();
  };
  for (const double batch : {64.0, 256.0, 2048.0}) {
    EXPECT_LT(step("data-spatial", resnet, batch), step("data-filter", resnet, batch)) << batch;
    EXPECT_LE(step("data", resnet, batch), step("data-spatial", resnet, batch)) << batch;
  }
  EXPECT_LT(step("data-filter", vgg, 64), step("data-spatial", vgg, 64));
  EXPECT_GT(step("data-filter", vgg, 2048), step("data-spatial", vgg, 2048));
}

}  // namespace
}  // namespace sextant::parallel
