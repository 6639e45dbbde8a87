// The kernel predictor: what it says besides a time, and what timings on a device change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "plain_stack.h"
#include "sextant/nets/builder.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::catalog;
using test::gpu;
using test::plain_stack;
using testing::HasSubstr;

struct Ask {
  std::string net = "resnet50";
  std::string gpu = "t4";
  std::int64_t batch = 32;
  jobs::Mode mode = jobs::Mode::train;
  Precision precision = Precision::fp32;
};

std::ostream& operator<<(std::ostream& out, const Ask& ask) {
  return out << ask.net << " on " << ask.gpu << ", " << to_string(ask.mode) << ", "
             << to_string(ask.precision);
}

jobs::Job job_of(const Ask& ask) {
  jobs::Job job;
  job.net = ask.net;
  job.sizes = {.batch = ask.batch};
  if (nets::zoo().get(ask.net).input == nets::InputKind::image) job.sizes.image = 64;
  job.mode = ask.mode;
  job.precision = ask.precision;
  return job;
}

Setup with_stack(const Stack& stack) {
  Setup setup;
  setup.catalog = &catalog();
  setup.model = to_json(stack).dump();
  return setup;
}

Prediction predict(const Setup& setup, const Ask& ask) {
  const jobs::Job job = job_of(ask);
  const nets::Graph graph = build(nets::zoo().get(ask.net), job.sizes);
  const nets::GraphCost counted = cost(graph, ask.precision);
  return predictors().get("kernel").make(setup)->predict({job, graph, counted, gpu(ask.gpu)});
}

// A layer that stands for a network, trained.
Prediction predict_layer(const nets::Op& op, const nets::Shape& x) {
  nets::GraphBuilder g("layer");
  const nets::Graph graph = g.finish(g.add(op, {g.add(nets::Input{x}, {})}));
  const nets::GraphCost counted = cost(graph);
  const jobs::Job job = job_of({});
  return predictors().get("kernel").make({})->predict({job, graph, counted, gpu("t4")});
}

TEST(KernelPredictor, LayersThatNoTimedNetworkHadWidenTheAnswer) {
  const auto ratio = [](const Prediction& p) { return p.interval.high->value / p.interval.low.value; };
  const nets::Conv flat{8, nets::square(3), nets::square(1), {}, nets::square(1), 1, true, {}};
  const nets::Conv deep{8, nets::cube(3), nets::cube(1), {}, nets::cube(1), 1, true, {}};
  const Prediction known = predict_layer(flat, {4, 3, 32, 32});
  for (const Prediction& unlike : {predict_layer(deep, {4, 3, 8, 32, 32}),
                                   predict_layer(nets::Recurrent{nets::Cell::lstm, 64}, {4, 20, 32})}) {
    EXPECT_TRUE(unlike.extrapolating);
    EXPECT_GT(ratio(unlike), 2 * ratio(known));
    EXPECT_THAT(unlike.warnings, testing::Contains(HasSubstr("operators that no stack was fitted on")));
  }
  EXPECT_THAT(known.warnings, testing::IsEmpty());
}

double seconds(const Setup& setup, const Ask& ask) {
  return predict(setup, ask).iteration.value;
}

// Of log time; the interval is as wide on both sides.
double half_width(const Prediction& p) {
  return std::log(*p.interval.high / p.iteration);
}

void expect_consistent(const Prediction& p) {
  EXPECT_LT(p.interval.low, p.iteration);
  ASSERT_TRUE(p.interval.high);
  EXPECT_GT(*p.interval.high, p.iteration);
  EXPECT_NEAR(p.breakdown.total().value, p.iteration.value, 1e-12 * p.iteration.value);
  for (const Seconds part : {p.breakdown.compute, p.breakdown.input, p.breakdown.overhead}) {
    EXPECT_GE(part.value, -1e-15);
  }
}

TEST(KernelPredictor, IntervalAndBreakdownBelongToTheTime) {
  const auto setup = with_stack(plain_stack());
  for (const char* net : {"resnet50", "vgg16", "mobilenet_v2"}) {
    for (const std::int64_t batch : {1, 32}) {
      expect_consistent(predict(setup, {.net = net, .batch = batch}));
    }
  }
}

TEST(KernelPredictor, UsesTheModelThatIsGiven) {
  Stack slow = plain_stack();
  const Prediction usual = predict(with_stack(slow), {});
  EXPECT_EQ(usual.model, "kernel/plain-1.0");
  slow.shared.coefficients[coefficient::launch] += std::log(10.0);
  EXPECT_GT(seconds(with_stack(slow), {}), 1.01 * usual.iteration.value);
  sextant::predict::Setup broken;
  broken.model = "{}";
  EXPECT_THAT(error_of([&] { predict(broken, {}); }), HasSubstr("`model`"));
}

TEST(KernelPredictor, KnowsWhatADeviceOfTheStackIs) {
  Stack stack = plain_stack();
  const double before = seconds(with_stack(stack), {});
  stack.departures["t4"][coefficient::launch] = std::log(10.0);
  for (const char* net : {"net:resnet50", "net:vgg11"}) stack.effects.by_group[net] = {};
  const Prediction known = predict(with_stack(stack), {});
  EXPECT_GT(known.iteration.value, before);
  EXPECT_NEAR(half_width(known), stack.spread.seen, 1e-9);
  EXPECT_NEAR(half_width(predict(with_stack(stack), {.net = "vgg16"})), stack.spread.new_net, 1e-9);
  EXPECT_NEAR(half_width(predict(with_stack(stack), {.gpu = "v100"})), stack.spread.new_gpu, 1e-9);
}

TEST(KernelPredictor, MemoryDecidesWhetherItFits) {
  const auto setup = with_stack(plain_stack());
  const Prediction small = predict(setup, {.batch = 8});
  const Prediction large = predict(setup, {.batch = 65536});
  EXPECT_TRUE(small.fits);
  EXPECT_FALSE(large.fits);
  EXPECT_GT(large.memory.total(), gpu("t4").memory);
  EXPECT_TRUE(large.extrapolating) << "nobody has seen a device without room";
}

class BeyondTheStack : public testing::TestWithParam<Ask> {};

TEST_P(BeyondTheStack, IsMarkedAndLessCertain) {
  const auto setup = with_stack(plain_stack());
  const Prediction inside = predict(setup, {});
  const Prediction beyond = predict(setup, GetParam());
  EXPECT_FALSE(inside.extrapolating);
  EXPECT_TRUE(beyond.extrapolating);
  EXPECT_GT(half_width(beyond), 1.2 * half_width(inside));
  expect_consistent(beyond);
}

TEST(KernelPredictor, MarksKindsOfKernelsThatTheStackNeverSaw) {
  Stack stack = plain_stack();
  for (const auto kind : {KernelKind::conv, KernelKind::conv_input_grad, KernelKind::conv_filter_grad}) {
    ASSERT_EQ(stack.range.kinds.erase(kind), 1U);
  }
  EXPECT_TRUE(predict(with_stack(stack), {}).extrapolating);
}

// All its kinds of kernels may be known, and yet nothing of the kind was timed.
TEST(KernelPredictor, MarksNetworksOfWhoseFamilyTheStackNeverSawAny) {
  Stack stack = plain_stack();
  const Prediction stranger = predict(with_stack(stack), {.net = "wide_resnet50_2"});
  EXPECT_TRUE(stranger.extrapolating);
  stack.shared_effects.by_group["net:wide-resnet101-2"] = {};
  const Prediction kin = predict(with_stack(stack), {.net = "wide_resnet50_2"});
  EXPECT_FALSE(kin.extrapolating);
  EXPECT_NEAR(half_width(stranger), kOutsideFactor * half_width(kin), 1e-9);
}

// Neither the stack in use nor one that ships has timed anything like it; a timing of its own makes it known.
TEST(KernelPredictor, IsUncertainOfNetworksThatNobodyTimed) {
  sextant::predict::Setup setup = with_stack(plain_stack());
  const Ask ask{.net = "convnext-tiny", .batch = 8};
  const Prediction stranger = predict(setup, ask);
  EXPECT_TRUE(stranger.extrapolating);
  EXPECT_NEAR(half_width(stranger), kStrangerWidth, 1e-9);
  setup.measured = {{.job = job_of(ask), .gpu = ask.gpu, .step = stranger.iteration}};
  EXPECT_LT(half_width(predict(setup, ask)), 0.8 * kStrangerWidth);
}

// The synthetic steps train convolutional networks in fp32 at batches of 8 and more.
INSTANTIATE_TEST_SUITE_P(Of, BeyondTheStack,
                         testing::Values(Ask{.precision = Precision::fp16}, Ask{.mode = jobs::Mode::infer},
                                         Ask{.gpu = "h100"}));

// Timings of 1.5 times what the model itself says.
Setup timed_on_t4(const std::vector<Ask>& asks, double factor) {
  auto setup = with_stack(plain_stack());
  std::vector<Measurement> measured;
  for (const Ask& ask : asks) {
    measured.push_back({job_of(ask), gpu(ask.gpu).id, factor * predict(setup, ask).iteration});
  }
  setup.measured = measured;
  return setup;
}

const std::vector<Ask> kTwo = {{.net = "resnet50", .batch = 8}, {.net = "vgg16", .batch = 32}};
const std::vector<Ask> kSix = {{.net = "resnet50", .batch = 8},     {.net = "vgg16", .batch = 32},
                               {.net = "mobilenet_v2", .batch = 8}, {.net = "mobilenet_v2", .batch = 128},
                               {.net = "alexnet", .batch = 128},    {.net = "densenet121", .batch = 32}};

TEST(Anchoring, MovesOtherNetworksOfTheDevice) {
  const auto before = with_stack(plain_stack());
  for (const Ask& ask : {Ask{.net = "resnet18"}, Ask{.net = "resnet34"}, Ask{.net = "vgg11"}}) {
    const double two = seconds(timed_on_t4(kTwo, 1.5), ask) / seconds(before, ask);
    const double six = seconds(timed_on_t4(kSix, 1.5), ask) / seconds(before, ask);
    EXPECT_GT(two, 1.1) << ask.net;
    EXPECT_LT(two, 1.6) << ask.net;
    EXPECT_NEAR(six, 1.5, 0.15) << ask.net;
  }
}

TEST(Anchoring, OnTheModelsOwnTimesChangesLittle) {
  const auto before = with_stack(plain_stack());
  EXPECT_NEAR(seconds(timed_on_t4(kSix, 1), {.net = "resnet18"}) / seconds(before, {.net = "resnet18"}), 1,
              0.01);
}

// Timings on one device speak of the software too: others move most of the way, and a faster one stays
// faster. A fifth of what the model says is below what these devices need at least.
TEST(Anchoring, CarriesOverToOtherDevices) {
  const auto before = with_stack(plain_stack());
  for (const double factor : {0.5, 2.0, 5.0}) {
    const auto timed = timed_on_t4(kTwo, factor);
    for (const char* net : {"resnet50", "resnet18"}) {
      const Ask here{.net = net, .gpu = "t4", .batch = 256};
      const Ask there{.net = net, .gpu = "v100", .batch = 256};
      const double moved = seconds(timed, there) / seconds(before, there);
      EXPECT_LT(std::abs(std::log(moved / factor)), 0.5 * std::abs(std::log(factor))) << net << " " << factor;
      EXPECT_LT(seconds(timed, there), seconds(timed, here)) << net << " " << factor;
      EXPECT_EQ(predict(timed, there).evidence, Evidence::carried);
    }
  }
}

TEST(Anchoring, OtherDevicesStayLessCertain) {
  const auto timed = timed_on_t4(kTwo, 2);
  const double here = half_width(predict(timed, {.net = "resnet18", .gpu = "t4"}));
  const Prediction there = predict(timed, {.net = "resnet18", .gpu = "v100"});
  EXPECT_GT(half_width(there), here);
  EXPECT_GE(half_width(there),
            half_width(predict(with_stack(plain_stack()), {.net = "resnet18", .gpu = "v100"})));
  EXPECT_EQ(there.model, "kernel/plain-1.0, software corrected by 2 timings on t4");
}

TEST(Anchoring, TimingsThatAgreeMoveNothing) {
  const Ask there{.net = "resnet18", .gpu = "v100"};
  EXPECT_NEAR(seconds(timed_on_t4(kSix, 1), there) / seconds(with_stack(plain_stack()), there), 1, 1e-9);
}

// A case that was timed takes what it took, with the interval of its timings.
TEST(Anchoring, ATimedCaseIsWhatWasTimed) {
  auto setup = with_stack(plain_stack());
  const jobs::Job job = job_of({});
  for (const double ms : {100, 102, 98}) setup.measured.push_back({job, "t4", Seconds{ms / 1e3}});
  const Prediction p = predict(setup, {});
  EXPECT_NEAR(p.iteration.value, std::cbrt(0.100 * 0.102 * 0.098), 1e-9);
  EXPECT_EQ(p.evidence, Evidence::timed);
  EXPECT_LT(half_width(p), 0.1);
  EXPECT_GT(half_width(p), 0.03) << "three runs do not know their own spread";
  auto noisy = with_stack(plain_stack());
  for (const double ms : {100, 150, 70}) noisy.measured.push_back({job, "t4", Seconds{ms / 1e3}});
  EXPECT_GT(half_width(predict(noisy, {})), 0.4);
  EXPECT_GT(half_width(predict(setup, {.batch = 64})), half_width(p)) << "another batch was not timed";
}

TEST(Anchoring, NarrowsTheIntervalWithEveryTiming) {
  const double none = half_width(predict(with_stack(plain_stack()), {.net = "resnet18"}));
  const double two = half_width(predict(timed_on_t4(kTwo, 1.5), {.net = "resnet18"}));
  const double six = half_width(predict(timed_on_t4(kSix, 1.5), {.net = "resnet18"}));
  EXPECT_LT(two, none);
  EXPECT_LT(six, two);
}

// 36: derived where the spread is tested.
TEST(Anchoring, SaysWhatMoreTimingsWouldBring) {
  const Prediction known = predict(timed_on_t4(kTwo, 1.5), {.net = "resnet18"});
  EXPECT_EQ(known.model, "kernel/plain-1.0 anchored on 2 timings");
  EXPECT_THAT(known.warnings, testing::Contains("36 more timings on this device would halve the interval"));
  const Prediction unknown = predict(timed_on_t4(kTwo, 1.5), {.net = "resnet34"});
  EXPECT_THAT(unknown.warnings, testing::Contains(HasSubstr("will not help much")));
}

TEST(Anchoring, TwoBatchesOfAJobSpeakForLargerOnes) {
  const auto timed = timed_on_t4({{.batch = 8}, {.batch = 32}}, 1.5);
  const auto before = with_stack(plain_stack());
  EXPECT_NEAR(seconds(timed, {.batch = 128}) / seconds(before, {.batch = 128}), 1.5, 0.15);
}

TEST(Anchoring, NeedsADeviceOfTheCatalogue) {
  auto setup = timed_on_t4(kTwo, 1.5);
  setup.measured.front().gpu = "t5";
  EXPECT_THAT(error_of([&] { predict(setup, {}); }), HasSubstr("unknown GPU 't5'"));
}

}  // namespace
}  // namespace sextant::predict
