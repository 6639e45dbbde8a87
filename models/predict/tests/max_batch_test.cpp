#include "sextant/predict/max_batch.h"

#include <gtest/gtest.h>

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

TEST(MaxBatch, InferenceTakesALargerOneThanTraining) {
  BatchMemory training(nets::zoo().get("resnet50"), {});
  jobs::Job job;
  job.mode = jobs::Mode::infer;
  BatchMemory inference(nets::zoo().get("resnet50"), job);
  EXPECT_GT(inference.max_batch(Bytes{8e9}), training.max_batch(Bytes{8e9}));
}

}  // namespace
}  // namespace sextant::predict
