#include "sextant/predict/memory.h"

#include <gtest/gtest.h>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/nets/builder.h"
#include "sextant/predict/max_batch.h"
#include "shared_data.h"

namespace sextant::predict {
namespace {

nets::GraphCost with_parameters(std::int64_t parameters) {
  nets::GraphCost cost;
  cost.total.parameters = parameters;
  return cost;
}

Bytes state(const MemoryNeed& need) {
  return need.weights + need.gradients + need.optimizer;
}

TEST(Memory, BytesPerParameterFollowTheOptimizer) {
  const nets::GraphCost one = with_parameters(1);
  jobs::Job job;
  job.optimizer = jobs::Optimizer::sgd;
  EXPECT_EQ(state(memory_need({}, one, job)), Bytes{8});
  job.optimizer = jobs::Optimizer::momentum;
  EXPECT_EQ(state(memory_need({}, one, job)), Bytes{12});
  job.optimizer = jobs::Optimizer::adam;
  EXPECT_EQ(state(memory_need({}, one, job)), Bytes{16});
  job.precision = Precision::fp16;  // 2 + 2 + 4 + 4 + 4
  EXPECT_EQ(state(memory_need({}, one, job)), Bytes{16});
}

TEST(Memory, ResNet50WithMomentumKeeps307MegabytesOfState) {
  jobs::Job job;
  job.optimizer = jobs::Optimizer::momentum;
  EXPECT_NEAR(state(memory_need({}, with_parameters(25557032), job)).value, 306.68e6, 0.01e6);
}

TEST(Memory, InferenceKeepsNeitherGradientsNorState) {
  jobs::Job job;
  job.mode = jobs::Mode::infer;
  job.optimizer = jobs::Optimizer::adam;
  nets::GraphCost cost = with_parameters(10);
  cost.live_peak = Bytes{100};
  cost.total.saved = Bytes{1000};
  const MemoryNeed need = memory_need({}, cost, job);
  EXPECT_EQ(state(need), Bytes{40});
  EXPECT_EQ(need.activations, Bytes{100});
}

TEST(Memory, TrainingKeepsWhatTheBackwardPassNeeds) {
  jobs::Job job;
  nets::GraphCost cost = with_parameters(0);
  cost.total.saved = Bytes{1000};
  EXPECT_EQ(memory_need({}, cost, job).activations, Bytes{1000});
}

nets::Graph one_convolution(std::int64_t batch) {
  nets::GraphBuilder g("conv");
  return g.finish(
      g.conv(g.image(batch, 3, 8, 8), 5, nets::square(3), {.padding = nets::pad_all(1), .bias = false}));
}

TEST(Memory, WorkspaceIsACopyOfTheLargestConvolutionsOperands) {
  const nets::Graph graph = one_convolution(2);
  // 2x3x8x8 in, 5x3x3x3 weights, 2x5x8x8 out: 384 + 135 + 640 floats.
  EXPECT_EQ(memory_need(graph, cost(graph), {}).workspace, Bytes{1159 * 4});
}

TEST(Memory, WorkspaceIsBounded) {
  const nets::Graph graph = one_convolution(1 << 20);  // 2 GB in and out
  EXPECT_EQ(memory_need(graph, cost(graph), {}).workspace, Bytes{1e9});
}

TEST(Memory, TensorflowKeepsNoIndicesOfMaxPools) {
  nets::GraphBuilder g("pool");
  const nets::Tensor x = g.conv(g.image(1, 3, 8, 8), 4, nets::square(1));
  const nets::Graph graph = g.finish(g.max_pool(x, nets::square(2), {.stride = nets::square(2)}));
  const nets::GraphCost counted = cost(graph);
  jobs::Job job;
  const Bytes pytorch = memory_need(graph, counted, job).activations;
  job.stack = "tensorflow-2.5";
  // 4x4x4 outputs of 8 bytes each.
  EXPECT_EQ(pytorch - memory_need(graph, counted, job).activations, Bytes{4 * 4 * 4 * 8});
}

TEST(Memory, GrowsWithTheBatch) {
  for (const char* net : {"resnet18", "bert-large", "alexnet"}) {
    BatchMemory memory(nets::zoo().get(net), {});
    for (std::int64_t batch = 1; batch < 512; batch *= 2) {
      EXPECT_LT(memory.need(batch), memory.need(2 * batch)) << net << " " << batch;
    }
  }
}

// Whoever timed a step had the memory for it: none needs more than the chips hold. What a job may plan with
// is less, and refuses 8 of the 923: two on the T4, six on the K80.
TEST(Memory, EveryMeasuredStepFits) {
  SEXTANT_NEEDS_DATA(path, "cnn-training-times/profet_tf.csv");
  const CsvTable table = CsvTable::read_file(path);
  const catalog::Catalog catalog = catalog::builtin_catalog();
  std::size_t refused = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = [&](const char* name) { return table.text(row, table.column(name)); };
    const auto number = [&](const char* name) { return table.integer(row, table.column(name)); };
    jobs::Job job;
    job.stack = "tensorflow-2.5";
    job.sizes = {
        .batch = number("batch_size"), .image = number("image_size"), .classes = number("num_classes")};
    const nets::Network& network = nets::zoo().get("profet/" + fold_name(text("model")));
    BatchMemory memory(network, job);
    EXPECT_LE(memory.need(job.sizes.batch), catalog.gpus.get(text("gpu")).memory)
        << network.id << " " << text("gpu") << " " << job.sizes.batch << " of " << *job.sizes.image;
    if (memory.need(job.sizes.batch) > plannable_memory(catalog.gpus.get(text("gpu")))) ++refused;
  }
  EXPECT_EQ(refused, 8U);
}

TEST(Memory, EveryMeasuredTransformerFits) {
  SEXTANT_NEEDS_DATA(path, "neusight/e2e_labels.csv");
  const CsvTable table = CsvTable::read_file(path);
  const catalog::Catalog catalog = catalog::builtin_catalog();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = [&](const char* name) { return table.text(row, table.column(name)); };
    const auto number = [&](const char* name) { return table.integer(row, table.column(name)); };
    if (text("option") != "none") continue;
    jobs::Job job;
    job.mode = text("mode") == "train" ? jobs::Mode::train : jobs::Mode::infer;
    job.optimizer = jobs::Optimizer::none;
    job.sizes = {.batch = number("batch_size"), .seq = number("seq_len")};
    BatchMemory memory(nets::zoo().get(text("model")), job);
    EXPECT_LE(memory.need(job.sizes.batch), plannable_memory(catalog.gpus.get(text("gpu"))))
        << text("model") << " " << text("gpu") << " " << job.sizes.batch;
  }
}

}  // namespace
}  // namespace sextant::predict
