// A larger batch never takes a shorter step, whatever the strategy: the whole way from the catalogue's
// figures to the step. Batches that nothing divides stand among those that much divides.
#include <gtest/gtest.h>

#include <array>

#include "whole_way.h"

namespace sextant::parallel {
namespace {

constexpr std::array<std::int64_t, 22> kBatches = {1,  2,  3,  4,  5,  6,  7,  8,  9,  12, 13,
                                                   15, 16, 17, 18, 19, 20, 24, 31, 32, 33, 64};

class LargerBatch : public testing::TestWithParam<const char*> {
 protected:
  // How many steps were compared.
  static int compare(Asked asked, const catalog::Gpu& gpu) {
    std::optional<double> before;
    int compared = 0;
    for (const std::int64_t batch : kBatches) {
      asked.batch = batch;
      const auto now = WholeWay(asked).step_s(gpu);
      if (!now) continue;
      if (before) {
        ++compared;
        EXPECT_GE(*now, *before * (1 - 1e-9)) << text_of(asked) << " on " << gpu.id;
      }
      before = now;
    }
    return compared;
  }
};

TEST_P(LargerBatch, IsNeverFaster) {
  for (const char* strategy : {"pipeline", "data-pipeline", "data-pipeline:stages=2"}) {
    for (const std::int64_t devices : {2, 8}) {
      for (const double faster : {1.0, 8.0}) {
        EXPECT_GT(compare({GetParam(), 1, strategy, devices}, scaled_gpu(faster, faster)), 15) << strategy;
      }
    }
  }
}

TEST_P(LargerBatch, NorWithPieces) {
  for (const char* strategy : {"pipeline:pieces=2", "data-pipeline:stages=2:pieces=2",
                               "data-pipeline:stages=4:schedule=gpipe", "pipeline:micro=1"}) {
    EXPECT_GT(compare({GetParam(), 1, strategy, 4}, scaled_gpu(4, 4)), 15) << strategy;
  }
}

INSTANTIATE_TEST_SUITE_P(Nets, LargerBatch, testing::Values("alexnet", "resnet50", "bert-base"));

}  // namespace
}  // namespace sextant::parallel
