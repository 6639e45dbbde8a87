// Which kernels a graph becomes: directions, groups, batched products, and what inference leaves out.
#include <gtest/gtest.h>

#include <algorithm>

#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"
#include "sextant/predict/kernel.h"

namespace sextant::predict {
namespace {

KernelList lowered(const std::string& net, jobs::Mode mode = jobs::Mode::train) {
  jobs::Job job;
  job.net = net;
  job.sizes.batch = 8;
  job.mode = mode;
  return lower(build(nets::zoo().get(net), job.sizes), job);
}

// Two convolutions, so that the second needs the gradient of its input.
KernelList grouped_pair(std::int64_t groups, jobs::Mode mode = jobs::Mode::train) {
  nets::GraphBuilder g("pair");
  const nets::Tensor first = g.conv(g.image(2, 8, 16, 16), 32, nets::square(1), {.bias = false});
  const nets::Tensor second =
      g.conv(first, 32, nets::square(3), {.padding = {1, 1, 1, 1}, .groups = groups, .bias = false});
  jobs::Job job;
  job.sizes.batch = 2;
  job.mode = mode;
  return lower(g.finish(second), job);
}

double launches(const KernelList& list, KernelKind kind) {
  double sum = 0;
  for (const Kernel& k : list.kernels) sum += k.kind == kind ? k.launches : 0;
  return sum;
}

const Kernel& only(const KernelList& list, KernelKind kind) {
  EXPECT_EQ(launches(list, kind), 1) << to_string(kind);
  return *std::ranges::find(list.kernels, kind, &Kernel::kind);
}

void expect_gemm(const Kernel& k, const GemmShape& want) {
  EXPECT_EQ(k.gemm.batch, want.batch) << to_string(k.kind);
  EXPECT_EQ(k.gemm.m, want.m) << to_string(k.kind);
  EXPECT_EQ(k.gemm.n, want.n) << to_string(k.kind);
  EXPECT_EQ(k.gemm.k, want.k) << to_string(k.kind);
}

TEST(Lowering, CountsTheDirectionsOfAConvolution) {
  const KernelList train = lowered("vgg16");
  EXPECT_EQ(launches(train, KernelKind::conv), 13);
  EXPECT_EQ(launches(train, KernelKind::conv_input_grad), 12);  // nobody asks for the gradient of the image
  EXPECT_EQ(launches(train, KernelKind::conv_filter_grad), 13);
  EXPECT_EQ(train.input_bytes, 8.0 * 3 * 224 * 224 * 4);
}

// Attention of one kernel: no traffic of scores. 32 heads of 128, and 8192 places of which a query sees
// 4096.5 on average.
TEST(Lowering, FusedAttentionMovesNoScores) {
  jobs::Job job;
  job.sizes.batch = 1;
  job.mode = jobs::Mode::infer;
  const KernelList list = lower(build(nets::zoo().get("llama-3-8b"), job.sizes), job);
  std::vector<Kernel> products;
  std::ranges::copy_if(list.kernels, std::back_inserter(products),
                       [](const Kernel& k) { return k.kind == KernelKind::batched_gemm; });
  ASSERT_EQ(products.size(), 2U);  // alike in all layers
  EXPECT_EQ(products[0].launches, 32);
  if (products[0].gemm.n == 128) std::swap(products[0], products[1]);  // their order is the list's own
  expect_gemm(products[0], {32, 8192, 4096.5, 128});
  expect_gemm(products[1], {32, 8192, 128, 4096.5});
  const double moved = 4.0 * 8192 * (4096 + 1024 + 1024 + 4096);
  EXPECT_DOUBLE_EQ(products[0].bytes + products[1].bytes, moved);
}

TEST(Lowering, KeepsTheArithmeticOfTheGraph) {
  double flop = 0;
  for (const Kernel& k : lowered("vgg16").kernels) {
    if (k.kind == KernelKind::conv || k.kind == KernelKind::gemm) flop += k.flop * k.launches;
  }
  // Forward convolutions and the three products of each linear layer (the first needs its input
  // gradient too): 2 x 15,346,630,656 MACs of convolutions + 3 x 2 x 123,633,664, each for 8 samples.
  EXPECT_DOUBLE_EQ(flop, 8 * (2 * 15346630656.0 + 6 * 123633664.0));
}

// 32 channels in 4 groups of 8, 2 images of 16 x 16: 512 pixels, and 8 x 9 = 72 weights to a filter.
TEST(Lowering, GroupedConvolutionIsAProductForEachGroup) {
  const KernelList list = grouped_pair(4);
  const Kernel& forward = only(list, KernelKind::grouped);
  expect_gemm(forward, {4, 512, 8, 72});
  EXPECT_EQ(forward.flop, 2.0 * 4 * 512 * 8 * 72);
  EXPECT_EQ(forward.window, 9);
  EXPECT_EQ(forward.bytes, 4.0 * (512 * 32 + 32 * 72 + 512 * 32));
  expect_gemm(only(list, KernelKind::grouped_input_grad), {4, 512, 8, 72});
  expect_gemm(only(list, KernelKind::grouped_filter_grad), {4, 72, 8, 512});
  EXPECT_EQ(only(list, KernelKind::grouped_filter_grad).elements, 32 * 72);
  EXPECT_EQ(launches(list, KernelKind::conv), 1) << "the first one has no groups";
  EXPECT_EQ(launches(list, KernelKind::conv_input_grad), 0) << "nobody asks for the gradient of the image";
}

TEST(Lowering, OneChannelToAGroupIsDepthwise) {
  const KernelList list = grouped_pair(32);
  expect_gemm(only(list, KernelKind::depthwise), {32, 512, 1, 9});
  EXPECT_EQ(only(list, KernelKind::depthwise).flop, 2.0 * 512 * 32 * 9);
  expect_gemm(only(list, KernelKind::depthwise_input_grad), {32, 512, 1, 9});
  expect_gemm(only(list, KernelKind::depthwise_filter_grad), {32, 9, 1, 512});
  EXPECT_EQ(launches(list, KernelKind::grouped), 0);
}

// Every direction of a convolution does the same arithmetic.
TEST(Lowering, DirectionsDoTheSameArithmetic) {
  for (const std::int64_t groups : {1, 4, 32}) {
    const KernelList list = grouped_pair(groups);
    std::vector<double> flops;
    for (const Kernel& k : list.kernels) {
      if (is_matrix_like(k.kind) && k.window == 9) flops.push_back(k.flop);
    }
    ASSERT_EQ(flops.size(), 3U) << groups;
    EXPECT_EQ(flops[0], flops[1]) << groups;
    EXPECT_EQ(flops[0], flops[2]) << groups;
  }
}

TEST(Lowering, MobileNetHasADepthwiseConvolutionInEachBlock) {
  const KernelList list = lowered("mobilenet_v2");  // 17 inverted residuals (Sandler et al. 2018, table 2)
  EXPECT_EQ(launches(list, KernelKind::depthwise), 17);
  EXPECT_EQ(launches(list, KernelKind::depthwise_input_grad), 17);
  EXPECT_EQ(launches(list, KernelKind::depthwise_filter_grad), 17);
}

TEST(Lowering, ResNeXtHasAGroupedConvolutionInEachBlock) {
  const KernelList list = lowered("resnext50_32x4d");  // 3 + 4 + 6 + 3 blocks
  EXPECT_EQ(launches(list, KernelKind::grouped), 16);
  EXPECT_EQ(launches(list, KernelKind::grouped_filter_grad), 16);
}

// 24 layers, each with two products of activations: scores and weighted values; 16 heads of 64.
TEST(Lowering, BertMultipliesActivationsInBatches) {
  jobs::Job job;
  job.net = "bert-large";
  job.sizes = {.batch = 4, .seq = 128};
  job.mode = jobs::Mode::infer;
  const KernelList list = lower(build(nets::zoo().get("bert-large"), job.sizes), job);
  EXPECT_EQ(launches(list, KernelKind::batched_gemm), 48);
  for (const Kernel& k : list.kernels) {
    if (k.kind != KernelKind::batched_gemm) continue;
    EXPECT_EQ(k.gemm.batch, 4 * 16);
    EXPECT_EQ(k.gemm.m, 128);
    EXPECT_EQ(k.gemm.n * k.gemm.k, 128 * 64);
    EXPECT_EQ(k.flop, 2.0 * 4 * 16 * 128 * 128 * 64);
  }
  job.mode = jobs::Mode::train;
  EXPECT_EQ(launches(lower(build(nets::zoo().get("bert-large"), job.sizes), job), KernelKind::batched_gemm),
            3 * 48);
  EXPECT_EQ(list.input_bytes, 4.0 * 128 * 8) << "tokens are 64-bit indices";
}

TEST(Lowering, InferenceHasNoGradients) {
  for (const char* net : {"resnet50", "mobilenet_v2", "resnext50_32x4d", "bert-large"}) {
    const KernelList list = lowered(net, jobs::Mode::infer);
    EXPECT_EQ(list.gradients, 0) << net;
    for (const Kernel& k : list.kernels) {
      const std::string name(to_string(k.kind));
      EXPECT_FALSE(name.ends_with("-grad")) << net << " " << name;
      EXPECT_TRUE(k.kind != KernelKind::update && k.kind != KernelKind::accumulate) << net;
    }
    EXPECT_EQ(list.calls, lowered(net).calls) << net << ": the program calls the same operators";
  }
}

TEST(Lowering, WithoutAnOptimizerNothingIsUpdated) {
  jobs::Job job;
  job.net = "resnet18";
  job.sizes.batch = 2;
  const nets::Graph graph = build(nets::zoo().get("resnet18"), job.sizes);
  EXPECT_EQ(launches(lower(graph, job), KernelKind::update),
            62);  // 20 convolutions, 20 x 2 of norms, 2 of fc
  job.optimizer = jobs::Optimizer::none;
  EXPECT_EQ(launches(lower(graph, job), KernelKind::update), 0);
}

TEST(Lowering, EveryKindHasANameOfItsOwn) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kKernelKinds; ++i) names.push_back(to_string(static_cast<KernelKind>(i)));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace sextant::predict
