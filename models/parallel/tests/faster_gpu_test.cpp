// A GPU that is at least as fast in everything, and otherwise the same, never makes a pipeline slower: the
// whole way from the catalogue's figures to the step.
#include <gtest/gtest.h>

#include <array>

#include "sextant/parallel/cluster_predictor.h"

namespace sextant::parallel {
namespace {

const catalog::Catalog& figures() {
  static const catalog::Catalog all = catalog::builtin_catalog();
  return all;
}

constexpr std::array kFactors = {1.0, 2.0, 4.0, 8.0};

// A T4 with so many times its arithmetic and its bandwidth; the id is none that a stack knows.
catalog::Gpu scaled_gpu(double arithmetic, double bandwidth) {
  catalog::Gpu gpu = figures().gpus.get("t4");
  gpu.id = "drawn-" + number_text(arithmetic) + "-" + number_text(bandwidth);
  gpu.fp32 = arithmetic * gpu.fp32;
  if (gpu.tensor_fp16) gpu.tensor_fp16 = arithmetic * *gpu.tensor_fp16;
  gpu.memory_bandwidth = bandwidth * gpu.memory_bandwidth;
  gpu.memory = 100 * gpu.memory;  // what fits is another question
  return gpu;
}

struct Asked {
  const char* net = "";
  std::int64_t batch = 1;  // of a device
  std::string strategy;
  std::int64_t devices = 2;
  const char* predictor = "kernel";
  Precision precision = Precision::fp32;
};

const predict::Predictor& predictor_of(const std::string& id) {
  static std::map<std::string, std::unique_ptr<predict::Predictor>> made;
  auto& predictor = made[id];
  if (predictor == nullptr) predictor = predict::predictors().get(id).make({.catalog = &figures()});
  return *predictor;
}

// Seconds by arithmetic and bandwidth; nothing where the strategy is not for this layout.
using Grid = std::array<std::array<double, kFactors.size()>, kFactors.size()>;

std::optional<Grid> steps_of(const Asked& asked) {
  const ClusterPredictor predictor(figures(), predictor_of(asked.predictor));
  jobs::Job job;
  job.net = asked.net;
  job.sizes.batch = asked.batch;
  job.precision = asked.precision;
  job.layout.placement = jobs::Placement::packed(asked.devices, 4);
  job.layout.strategy = asked.strategy;
  const nets::Graph graph = build(nets::zoo().get(asked.net), job.sizes);
  const nets::GraphCost counted = cost(graph, job.precision);
  Grid grid = {};
  for (std::size_t a = 0; a < kFactors.size(); ++a) {
    for (std::size_t b = 0; b < kFactors.size(); ++b) {
      try {
        const catalog::Gpu gpu = scaled_gpu(kFactors[a], kFactors[b]);
        grid[a][b] = predictor.predict({job, graph, counted, gpu}).iteration.value;
      } catch (const InputError&) {
        return std::nullopt;
      }
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

std::string text_of(const Asked& asked) {
  return std::string(asked.predictor) + " " + asked.net + " batch " + std::to_string(asked.batch) + " on " +
         std::to_string(asked.devices) + " " + asked.strategy + " " + to_string(asked.precision);
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
