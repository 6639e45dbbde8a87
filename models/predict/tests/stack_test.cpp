// Stacks as files: what is written is read again, and what is wrong is named.
#include "sextant/predict/stack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "plain_stack.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::plain_stack;
using test::pointers;
using test::synthetic_steps;

std::string text_of(const Stack& stack) {
  return to_json(stack).dump(1);
}

Stack read(const std::string& text) {
  return stack_from_json(text, "stack.json");
}

// Everything that a stack can hold.
Stack full_stack() {
  Stack stack = plain_stack();
  stack.traits.accumulates_gradients = false;
  stack.traits.prefetches_input = true;
  stack.few_timings["t4"] = 3;
  stack.traits.runs_on = {"Volta", "Turing"};
  stack.departures["t4"][coefficient::gemm] = std::log(0.8);
  stack.departures["v100-sxm2-16gb"][coefficient::launch] = std::log(1.25);
  stack.effects.by_group["gpu:t4"] = {0.125};
  stack.effects.by_group["net:resnet50"] = {-0.03, 0, 0.25, 0, -0.01};
  stack.spread.seen = 0.11;
  stack.spread.new_net = 0.22;
  stack.spread.new_gpu = 0.44;
  stack.spread.anchored = 0.33;
  return stack;
}

TEST(StackFile, ReadsWhatItWrote) {
  const std::string once = text_of(full_stack());
  EXPECT_EQ(text_of(read(once)), once);
}

TEST(StackFile, KeepsEveryPart) {
  const Stack stack = read(text_of(full_stack()));
  EXPECT_EQ(stack.id, "plain-1.0");
  EXPECT_FALSE(stack.traits.accumulates_gradients);
  EXPECT_TRUE(stack.traits.prefetches_input);
  EXPECT_EQ(stack.few_timings, (std::map<std::string, std::size_t>{{"t4", 3}}));
  EXPECT_EQ(stack.traits.runs_on, (std::set<std::string>{"Turing", "Volta"}));
  EXPECT_EQ(stack.rows, 54U);
  for (std::size_t i = 0; i < coefficient::count; ++i) {
    EXPECT_NEAR(stack.shared.coefficients[i], start_coefficients()[i], 1e-5) << coefficient_table()[i].name;
  }
  ASSERT_EQ(stack.departures.size(), 2U);
  EXPECT_NEAR(stack.departures.at("t4")[coefficient::gemm], std::log(0.8), 1e-5);
  EXPECT_EQ(stack.departures.at("t4")[coefficient::launch], 0);
  EXPECT_EQ(stack.effects.by_group.at("net:resnet50"), (EffectWeights{-0.03, 0, 0.25, 0, -0.01}));
  EXPECT_TRUE(stack.shared_effects.knows_net("vgg16")) << "though nothing is known of it";
  EXPECT_EQ(stack.spread.anchored, 0.33);
  EXPECT_EQ(stack.range.kinds, full_stack().range.kinds);
  EXPECT_EQ(stack.range.modes, std::set<std::string>{"train"});
}

TEST(StackFile, AFittedStackPredictsTheSameAfterwards) {
  auto rows = synthetic_steps({.nets = {"resnet50", "alexnet"}}, start_coefficients());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].seconds *= 1.2 + 0.05 * static_cast<double>(i % 3);
  const Stack fitted = fit_stack("own-1.0", pointers(rows), {}, {});
  const Stack again = read(text_of(fitted));
  for (const Observation& row : rows) {
    // What is too small to matter, 0.2 % of a factor, is not written.
    EXPECT_NEAR(estimate(again, row).log_total, estimate(fitted, row).log_total, 0.02) << row.labels.net;
  }
}

struct BadStack {
  std::string name;
  void (*spoil)(Json&);
  std::string complaint;
};

std::ostream& operator<<(std::ostream& out, const BadStack& bad) {
  return out << bad.name;
}

class StackRefused : public testing::TestWithParam<BadStack> {};

TEST_P(StackRefused, NamesThePlace) {
  Json json = to_json(full_stack());
  GetParam().spoil(json);
  const std::string error = error_of([&] { read(json.dump()); });
  EXPECT_TRUE(error.starts_with("stack.json: error: ")) << error;
  EXPECT_NE(error.find(GetParam().complaint), std::string::npos) << error;
}

const std::vector<BadStack> kBadStacks = {
    {"SchemaOfAnotherType", [](Json& j) { j["schema"] = 1; }, "'schema' is not a stack"},
    {"MissingCoefficient", [](Json& j) { j["coefficients"].erase("launch"); },
     "'coefficients.launch' is missing"},
    {"UnknownCoefficient", [](Json& j) { j["coefficients"]["lunch"] = 1; },
     "'coefficients' has a coefficient that this version does not know"},
    {"UnknownDeparture", [](Json& j) { j["departures"]["t4"]["lunch"] = 1; },
     "'departures.t4' has a coefficient that this version does not know"},
    {"NegativeCoefficient", [](Json& j) { j["coefficients"]["launch"] = -1; },
     "'coefficients.launch' is not above 0"},
    {"ZeroCoefficient", [](Json& j) { j["coefficients"]["launch"] = 0; },
     "'coefficients.launch' is not above 0"},
    {"CoefficientAsText", [](Json& j) { j["coefficients"]["launch"] = "NaN"; },
     "'coefficients.launch' is not a number"},
    {"HugeCoefficient", [](Json& j) { j["coefficients"]["launch"] = 1e300; },
     "'coefficients.launch' is out of range"},
    {"OtherSchema", [](Json& j) { j["schema"] = "sextant.model/1"; }, "'schema' is not a stack"},
    {"NoSchema", [](Json& j) { j.erase("schema"); }, "'schema' is not a stack"},
    {"NoId", [](Json& j) { j.erase("stack"); }, "'stack' is not a text"},
    {"NoCoefficients", [](Json& j) { j.erase("coefficients"); }, "'coefficients' is missing"},
    {"ListOfCoefficients", [](Json& j) { j["coefficients"] = Json::array(); },
     "'coefficients' is not an object"},
    {"FlagAsNumber", [](Json& j) { j["accumulates_gradients"] = 1; },
     "'accumulates_gradients' is not true or false"},
    {"NegativeWidth", [](Json& j) { j["interval_90"]["seen"] = -0.1; }, "'interval_90.seen' is not above 0"},
    {"ModesAsText", [](Json& j) { j["range"]["modes"] = "train"; }, "'range.modes' is not a list"},
    {"ModesAsNumbers", [](Json& j) { j["range"]["modes"] = {1}; }, "'range.modes' is not a list of texts"},
    {"EffectAsNumber", [](Json& j) { j["effects"]["gpu:t4"] = 1; },
     "'effects.gpu:t4' is not a list of weights"},
    {"EffectTooLong", [](Json& j) { j["effects"]["gpu:t4"] = {0, 0, 0, 0, 0, 0}; },
     "'effects.gpu:t4' is not a list of weights"},
    {"EffectOfTexts", [](Json& j) { j["effects"]["gpu:t4"] = {"a"}; },
     "'effects.gpu:t4' is not a list of numbers"},
    {"HugeEffect", [](Json& j) { j["shared_effects"]["gpu:t4"] = {1e9}; },
     "'shared_effects.gpu:t4' is out of range"},
};

INSTANTIATE_TEST_SUITE_P(All, StackRefused, testing::ValuesIn(kBadStacks),
                         [](const auto& bad) { return bad.param.name; });

TEST(StackFile, TextThatIsNoJsonIsRefusedWithItsPlace) {
  for (const char* text : {"", "{", "{\"schema\": NaN}", "[1, 2"}) {
    EXPECT_TRUE(error_of([&] { read(text); }).starts_with("stack.json:")) << text;
  }
  for (const char* text : {"null", "3", "[]", "\"sextant.stack/1\""}) {
    EXPECT_NE(error_of([&] { read(text); }).find("'schema' is not a stack"), std::string::npos) << text;
  }
}

TEST(BuiltinStacks, AreThoseOfTheRecipes) {
  for (const char* id : {"tensorflow-2.5", "pytorch-1.x", "pytorch-2.1"}) {
    ASSERT_TRUE(builtin_stacks().contains(id)) << id;
    const Stack& stack = builtin_stacks().at(id);
    EXPECT_EQ(stack.id, id);
    EXPECT_GT(stack.rows, 0U) << id;
    EXPECT_FALSE(stack.departures.empty()) << id;
    EXPECT_TRUE(std::ranges::all_of(stack.departures, [](const auto& d) {
      return test::catalog().gpus.find(d.first) != nullptr;
    })) << "departures are of GPUs of the catalogue";
    EXPECT_EQ(text_of(read(text_of(stack))), text_of(stack)) << id;
  }
}

TEST(BuiltinStacks, APlainNameIsTheNewest) {
  EXPECT_EQ(find_stack("pytorch").id, "pytorch-2.1");
  EXPECT_EQ(find_stack("TensorFlow").id, "tensorflow-2.5");
  EXPECT_EQ(find_stack("PyTorch 1.x").id, "pytorch-1.x");
}

TEST(BuiltinStacks, AnUnknownNameGetsAHint) {
  const std::string error = error_of([] { find_stack("pytorch-2.0", at_field("stack")); });
  EXPECT_TRUE(error.starts_with("`stack`: error: unknown stack 'pytorch-2.0'")) << error;
  EXPECT_NE(error.find("did you mean 'pytorch-2.1'?"), std::string::npos) << error;
  EXPECT_NE(error.find("sextant fit --method kernel"), std::string::npos) << error;
}

// With the start values seen = .15, new_gpu = .5 and anchored = .3 after 8 timings, the device's part of
// the variance, .25 - .0225 = .2275, shrinks by 1 + n / 3.375: 8 x .0675 / (.2275 - .0675) = 3.375.
TEST(Spread, ShrinksWithTimings) {
  const Spread spread;
  EXPECT_NEAR(anchored_spread(spread, 0, true), 0.5, 1e-12);
  EXPECT_NEAR(anchored_spread(spread, kAnchorRows, true), 0.3, 1e-12);
  EXPECT_NEAR(anchored_spread(spread, 2, true), std::sqrt(0.0225 + 0.2275 / (1 + 2 / 3.375)), 1e-12);
  EXPECT_NEAR(anchored_spread(spread, 1000000, true), spread.seen, 1e-5) << "the network's own part stays";
  EXPECT_NEAR(anchored_spread(spread, 1000000, false), spread.new_net, 1e-5);
}

// Half of sqrt(.0225 + .14285) is .20331: the device's part has to be .01884 or less, so it shrinks by
// 12.08 or more, at 37.4 timings: 38, of which 2 are there.
TEST(Spread, SaysHowManyMoreTimingsHalveIt) {
  EXPECT_EQ(timings_to_halve({}, 2, true), 36U);
  EXPECT_EQ(timings_to_halve({}, 2, false), std::nullopt) << "an unknown network alone is more than half";
}

}  // namespace
}  // namespace sextant::predict
