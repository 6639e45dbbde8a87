// A GPU that is at least as fast in everything, and otherwise the same, never makes a step slower, whatever
// the strategy: the whole way from the catalogue's figures to the step.
#include <gtest/gtest.h>

#include <array>

#include "whole_way.h"

namespace sextant::parallel {
namespace {

constexpr std::array kFactors = {1.0, 1.3, 2.0, 4.0, 8.0};

// Seconds by arithmetic and bandwidth.
using Grid = std::array<std::array<double, kFactors.size()>, kFactors.size()>;

std::optional<Grid> steps_of(const Asked& asked) {
  const WholeWay way(asked);
  Grid grid = {};
  for (std::size_t a = 0; a < kFactors.size(); ++a) {
    for (std::size_t b = 0; b < kFactors.size(); ++b) {
      const auto step = way.step_s(scaled_gpu(kFactors[a], kFactors[b]));
      if (!step) return std::nullopt;
      grid[a][b] = *step;
    }
  }
  return grid;
}

void expect_none_slower(const Grid& grid, const std::string& what) {
  const auto compare = [&](double before, double after) {
    EXPECT_LE(after, before * (1 + 1e-9)) << what << ": seconds on the faster GPU, and on the slower";
  };
  for (std::size_t a = 0; a < kFactors.size(); ++a) {
    for (std::size_t b = 0; b < kFactors.size(); ++b) {
      if (a > 0) compare(grid[a - 1][b], grid[a][b]);
      if (b > 0) compare(grid[a][b - 1], grid[a][b]);
      if (a > 0 && b > 0) compare(grid[a - 1][b - 1], grid[a][b]);
    }
  }
}

class FasterGpu : public testing::TestWithParam<const char*> {};

TEST_P(FasterGpu, NeverMakesAPipelineSlower) {
  int usable = 0;
  for (const std::int64_t batch : {1, 4, 24, 64}) {
    for (const std::int64_t devices : {2, 4, 8}) {
      for (const char* strategy : {"pipeline", "pipeline:micro=1", "pipeline:micro=8:schedule=gpipe",
                                   "data-pipeline:stages=2", "data-pipeline:stages=2:pieces=2:micro=4"}) {
        const Asked asked{GetParam(), batch, strategy, devices};
        const auto grid = steps_of(asked);
        if (!grid) continue;
        ++usable;
        expect_none_slower(*grid, text_of(asked));
      }
    }
  }
  EXPECT_GT(usable, 30);
}

TEST_P(FasterGpu, NorWithOtherPredictorsAndPrecisions) {
  for (const char* strategy : {"pipeline", "data-pipeline"}) {
    for (const Asked& asked : {Asked{GetParam(), 16, strategy, 4, "roofline"},
                               Asked{GetParam(), 16, strategy, 4, "kernel", Precision::fp16}}) {
      const auto grid = steps_of(asked);
      ASSERT_TRUE(grid) << text_of(asked);
      expect_none_slower(*grid, text_of(asked));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Nets, FasterGpu,
                         testing::Values("alexnet", "vgg16", "resnet50", "mobilenet-v2", "bert-base"));

}  // namespace
}  // namespace sextant::parallel
