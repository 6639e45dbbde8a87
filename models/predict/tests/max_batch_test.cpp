#include "sextant/predict/max_batch.h"

#include <gtest/gtest.h>

#include <map>

#include "sextant/catalog/catalog.h"
#include "sextant/predict/memory.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {
namespace {

Bytes linear(std::int64_t batch) {
  return Bytes{100.0 + 3.0 * static_cast<double>(batch)};
}

TEST(MaxBatch, IsTheLargestThatFits) {
  EXPECT_EQ(largest_fitting(linear, Bytes{103}), 1);
  EXPECT_EQ(largest_fitting(linear, Bytes{105.9}), 1);
  EXPECT_EQ(largest_fitting(linear, Bytes{106}), 2);
  for (std::int64_t batch = 1; batch < 300; ++batch) {
    EXPECT_EQ(largest_fitting(linear, linear(batch)), batch);
  }
}

TEST(MaxBatch, IsZeroWhereNotEvenOneFits) {
  EXPECT_EQ(largest_fitting(linear, Bytes{102.9}), 0);
}

TEST(MaxBatch, EndsWhereNothingGrows) {
  const auto constant = [](std::int64_t) { return Bytes{1}; };
  EXPECT_EQ(largest_fitting(constant, Bytes{1}), std::int64_t{1} << 30);
}

TEST(MaxBatch, OneMoreDoesNotFit) {
  BatchMemory memory(nets::zoo().get("resnet50"), {});
  const Bytes v100{16 * 0x1p30};
  const std::int64_t largest = memory.max_batch(v100);
  EXPECT_GT(largest, 64);
  EXPECT_LE(memory.need(largest), v100);
  EXPECT_GT(memory.need(largest + 1), v100);
}

// nvidia-smi shows 15109 of 16384 MiB on a T4, 11441 of 12288 on a K80, 16160 of 16384 on a V100 and 40536 of
// 40960 on an A100: nobody can plan with more, and a job that plans with 90 % of it wastes what it paid for.
TEST(MaxBatch, LeavesWhatRealCardsKeep) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const std::map<std::string, double> shown_mib = {
      {"t4", 15109}, {"k80", 11441}, {"v100-sxm2-16gb", 16160}, {"a100-sxm4-40gb", 40536}};
  for (const auto& [gpu, mib] : shown_mib) {
    const double planned = plannable_memory(catalog.gpus.get(gpu)).value / 0x1p20;
    EXPECT_LT(planned, 0.97 * mib) << gpu;
    EXPECT_GT(planned, 0.9 * mib) << gpu;
  }
}

// The largest batch is said to fit, and one more is not.
TEST(MaxBatch, IsWhatPredictionsSayFits) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const auto roofline = predictors().get("roofline").make({.catalog = &catalog});
  const nets::Network& network = nets::zoo().get("resnet50");
  for (const char* id : {"t4", "k80", "v100", "a100"}) {
    const catalog::Gpu& gpu = catalog.gpus.get(id);
    const auto fits = [&](std::int64_t batch) {
      jobs::Job job;
      job.net = network.id;
      job.sizes.batch = batch;
      const nets::Graph graph = build(network, job.sizes);
      return roofline->predict({job, graph, cost(graph), gpu}).fits;
    };
    const std::int64_t largest = BatchMemory(network, {}).max_batch(plannable_memory(gpu));
    EXPECT_TRUE(fits(largest)) << id;
    EXPECT_FALSE(fits(largest + 1)) << id;
  }
}

TEST(MaxBatch, InferenceTakesALargerOneThanTraining) {
  BatchMemory training(nets::zoo().get("resnet50"), {});
  jobs::Job job;
  job.mode = jobs::Mode::infer;
  BatchMemory inference(nets::zoo().get("resnet50"), job);
  EXPECT_GT(inference.max_batch(Bytes{8e9}), training.max_batch(Bytes{8e9}));
}

}  // namespace
}  // namespace sextant::predict
