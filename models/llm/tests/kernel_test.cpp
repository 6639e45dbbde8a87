// Laws of kernels: what must hold whatever the coefficients, fits of calls that a law made, files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "kernel_law.h"
#include "kernel_solve.h"
#include "kernel_trees.h"
#include "sextant/catalog/catalog.h"
#include "sextant/llm/kernels.h"

namespace sextant::llm {
namespace {

const catalog::Gpu& board(const char* name) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  return catalog.gpus.get(name);
}

// The law with its start values, and no device timed.
KernelModel assumed_model() {
  KernelModel model;
  for (const KernelLaw* law : kernel_laws()) {
    FittedLaw& fitted = model.laws[law->id];
    for (const LawParameter& p : law->parameters)
      fitted.shared.push_back(p.plain ? p.start : std::log(p.start));
  }
  return model;
}

TEST(LlmKernels, ProductsAreNeverFasterThanTheDevice) {
  const catalog::Gpu& gpu = board("h100-sxm-80gb");
  for (const KernelModel& model : {assumed_model(), builtin_kernel_model()}) {
    for (const double m : {1.0, 16.0, 256.0, 4096.0, 65536.0}) {
      for (const double n : {128.0, 4096.0, 51200.0}) {
        const GemmCall call{m, n, 8192, GemmFormat::bf16};
        const double flops = 2 * m * n * 8192;
        EXPECT_LT(flops / kernel_time(model, gpu, call).time.value, 1.05 * gpu.tensor_bf16->value)
            << m << " " << n;
      }
    }
  }
}

TEST(LlmKernels, MoreWorkTakesLonger) {
  const KernelModel model = assumed_model();
  const catalog::Gpu& gpu = board("a100-sxm4-80gb");
  const auto gemm = [&](double m, double k) {
    return kernel_time(model, gpu, GemmCall{m, 4096, k, GemmFormat::bf16}).time;
  };
  EXPECT_LT(gemm(64, 4096), gemm(4096, 4096));
  EXPECT_LT(gemm(4096, 1024), gemm(4096, 8192));
  AttentionCall call{.batch = 4, .length = 1024, .heads = 32, .kv_heads = 8};
  const Seconds shorter = kernel_time(model, gpu, call).time;
  call.length = 8192;
  const Seconds longer = kernel_time(model, gpu, call).time;
  call.window = 1024;
  const Seconds windowed = kernel_time(model, gpu, call).time;
  EXPECT_LT(shorter, windowed);
  EXPECT_LT(windowed, longer);
  const auto reduce = [&](double ranks, double bytes) {
    return kernel_time(model, gpu, NodeCollective{NodeOperation::all_reduce, ranks, Bytes{bytes}}).time;
  };
  EXPECT_LT(reduce(8, 1e3), reduce(8, 1e8));
  EXPECT_LT(reduce(2, 1e3), reduce(8, 1e3));
  const auto engine = [&](CollectiveLibrary library) {
    return kernel_time(model, gpu, NodeCollective{NodeOperation::all_reduce, 4, Bytes{1e4}, library}).time;
  };
  EXPECT_LT(engine(CollectiveLibrary::engine_graph), engine(CollectiveLibrary::engine_host));
}

TEST(LlmKernels, AnArchitectureThatWasNotTimedIsLessCertain) {
  const GemmCall call{4096, 4096, 4096, GemmFormat::bf16};
  const KernelTime known = kernel_time(builtin_kernel_model(), board("h200-sxm"), call);
  const KernelTime unknown = kernel_time(builtin_kernel_model(), board("l40s"), call);
  EXPECT_TRUE(known.timed_architecture);
  EXPECT_FALSE(unknown.timed_architecture);
  EXPECT_GT(unknown.high / unknown.low, known.high / known.low);
}

TEST(LlmKernels, AVendorThatWasNeverTimedIsLeastCertain) {
  const GemmCall call{4096, 4096, 4096, GemmFormat::bf16};
  const KernelTime relative = kernel_time(builtin_kernel_model(), board("l40s"), call);
  const KernelTime stranger = kernel_time(builtin_kernel_model(), board("mi300x"), call);
  EXPECT_GT(stranger.high / stranger.low, relative.high / relative.low);
}

TEST(LlmKernels, MoreTokensOfExpertsTakeNoLess) {
  const KernelModel model = assumed_model();
  for (const char* name : {"a100-sxm4-80gb", "h100-sxm-80gb", "rtx-pro-6000-blackwell-server"}) {
    for (const double ranks : {1.0, 8.0}) {
      for (const double skew : {0.0, 1.01, 1.2}) {
        for (const ExpertFormat format : {ExpertFormat::bf16, ExpertFormat::int4}) {
          Seconds before{0};
          for (double tokens = 1; tokens <= 65536; tokens *= 2) {
            const Seconds time = kernel_time(model, board(name),
                                             ExpertsCall{.tokens = tokens,
                                                         .width = 1536,
                                                         .experts = 128,
                                                         .chosen = 8,
                                                         .ranks = ranks,
                                                         .skew = skew,
                                                         .format = format})
                                     .time;
            EXPECT_GE(time, before) << name << " " << ranks << " " << skew << " " << tokens;
            before = time;
          }
        }
      }
    }
  }
}

// 64 tokens with 2 of 8 experts are 16 for each expert; on 4 devices each has 2 of them.
TEST(LlmKernels, CountsTheExpertsThatTokensComeTo) {
  const KernelDevice device = kernel_device(board("h100-sxm-80gb"));
  const auto counted = [&](ExpertsCall call) {
    const KernelShape shape = experts_shape(call, device);
    return std::vector<double>(shape.begin() + 5,
                               shape.begin() + 10);  // touched, pairs, blocks of 16, 64, 128
  };
  EXPECT_EQ(counted({.tokens = 64}), (std::vector<double>{8, 128, 8, 8, 8}));
  EXPECT_EQ(counted({.tokens = 64, .ranks = 4}), (std::vector<double>{2, 32, 2, 2, 2}));
  EXPECT_EQ(counted({.tokens = 1024}), (std::vector<double>{8, 2048, 128, 32, 16}));
  EXPECT_EQ(counted({.tokens = 1}), (std::vector<double>{2, 2, 2, 2, 2}));
  const auto even = counted({.tokens = 256, .experts = 256, .chosen = 8});
  const auto skewed = counted({.tokens = 256, .experts = 256, .chosen = 8, .skew = 1.2});
  EXPECT_LT(skewed[0], even[0]);
  EXPECT_NEAR(skewed[1], even[1], 1e-6 * even[1]);
  EXPECT_GT(counted({.tokens = 256, .experts = 256, .chosen = 8, .ranks = 8, .skew = 1.2})[1], even[1] / 8);
}

TEST(LlmKernels, ExpertsAreReadNoFasterThanTheMemory) {
  const catalog::Gpu& gpu = board("h100-sxm-80gb");
  for (const KernelModel& model : {assumed_model(), builtin_kernel_model()}) {
    const Seconds time = kernel_time(model, gpu, ExpertsCall{.tokens = 64}).time;
    const double bytes = 8 * 3 * 4096.0 * 14336 * 2;
    EXPECT_LT(bytes / time.value, 1.1 * gpu.memory_bandwidth.value);
  }
}

TEST(LlmKernels, SaysWhatExpertsCannotBe) {
  const auto said = [](const ExpertsCall& call) {
    return test::error_of([&] { kernel_time(builtin_kernel_model(), board("h100-sxm-80gb"), call); });
  };
  EXPECT_NE(said({.experts = 8, .chosen = 9}).find("`chosen`"), std::string::npos);
  EXPECT_NE(said({.experts = 8, .ranks = 16}).find("`ranks`"), std::string::npos);
  EXPECT_NE(said({.tokens = 0}).find("`tokens`"), std::string::npos);
  EXPECT_NE(said({.experts = 0}).find("`experts`"), std::string::npos);
  EXPECT_NE(said({.skew = -1}).find("`skew`"), std::string::npos);
}

TEST(LlmKernels, WeightsThatADeviceCannotMultiplyAreWidened) {
  const auto time = [](const char* name, ExpertFormat format) {
    return kernel_time(builtin_kernel_model(), board(name), ExpertsCall{.tokens = 16, .format = format}).time;
  };
  EXPECT_LT(time("a100-sxm4-80gb", ExpertFormat::fp8), time("a100-sxm4-80gb", ExpertFormat::bf16));
  EXPECT_LT(time("h100-sxm-80gb", ExpertFormat::nvfp4), time("h100-sxm-80gb", ExpertFormat::bf16));
}

// vLLM's kernels read everything at once up to half a MiB on 4 GPUs, in two steps above, and leave more than
// 8 MiB on an A100 to NCCL.
TEST(LlmKernels, LongerReductionsOfAnEngineTakeLonger) {
  const KernelModel model = assumed_model();
  for (const char* name : {"a100-sxm4-80gb", "h100-sxm-80gb", "b200", "l40s"}) {
    for (const double ranks : {2.0, 4.0, 8.0}) {
      Seconds before{0};
      for (double bytes = 256; bytes < 2e9; bytes *= 2) {
        const NodeCollective call{NodeOperation::all_reduce, ranks, Bytes{bytes},
                                  CollectiveLibrary::engine_graph};
        const Seconds time = kernel_time(model, board(name), call).time;
        EXPECT_GT(time, before) << name << " " << ranks << " " << bytes;
        before = time;
      }
    }
  }
}

// Calls of a law whose coefficients we know, on two devices.
TEST(LlmKernels, FitFindsWhatMadeTheCalls) {
  const KernelLaw& law = collective_law();
  const KernelDevice a100 = kernel_device(board("a100-sxm4-80gb"));
  const KernelDevice h100 = kernel_device(board("h100-sxm-80gb"));
  FittedLaw truth = assumed_model().laws.at(law.id);
  truth.shared[0] = std::log(5.0);  // microseconds of latency
  truth.shared[5] = std::log(0.8);  // of the link
  std::vector<TimedCall> calls;
  for (const KernelDevice* device : {&a100, &h100}) {
    for (const double ranks : {2.0, 4.0, 8.0}) {
      for (double bytes = 1024; bytes < 1e9; bytes *= 2) {
        const KernelShape shape = collective_shape({NodeOperation::all_gather, ranks, Bytes{bytes}});
        calls.push_back({device, shape, std::exp(log_seconds(law, truth, shape, *device))});
      }
    }
  }
  const FittedLaw fitted = fit_law(law, calls, {.stride = 1, .rounds = 30, .leftover = false});
  for (const TimedCall& call : calls)
    EXPECT_NEAR(log_seconds(law, fitted, call.shape, *call.device), std::log(call.seconds), 0.02);
}

TEST(LlmKernels, TreesLearnAStep) {
  std::vector<std::vector<double>> rows;
  std::vector<double> targets;
  for (int i = 0; i < 200; ++i) {
    rows.push_back({static_cast<double>(i), static_cast<double>(i % 7)});
    targets.push_back(i < 100 ? 0.3 : -0.1);
  }
  const auto trees = grow_trees(rows, targets, {});
  EXPECT_NEAR(trees_value(trees, std::vector<double>{10, 3}), 0.3, 0.01);
  EXPECT_NEAR(trees_value(trees, std::vector<double>{150, 3}), -0.1, 0.01);
  EXPECT_EQ(trees_value({}, std::vector<double>{150, 3}), 0);
}

TEST(LlmKernels, ModelSurvivesAFile) {
  const Json json = to_json(builtin_kernel_model());
  const KernelModel back = kernel_model_from_json(json, "kernels.json");
  EXPECT_EQ(to_json(back).dump(), json.dump());
  Json spoilt = json;
  spoilt["laws"]["gemm-bf16"]["shared"].push_back(1);
  EXPECT_NE(test::error_of([&] { kernel_model_from_json(spoilt, "kernels.json"); }).find("parameters"),
            std::string::npos);
}

TEST(LlmKernels, SaysWhatADeviceLacks) {
  EXPECT_NE(
      test::error_of([] {
        kernel_time(builtin_kernel_model(), board("a100-sxm4-80gb"), GemmCall{1, 1, 1, GemmFormat::nvfp4});
      }).find("fp4"),
      std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
