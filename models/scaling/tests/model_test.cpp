#include "sextant/scaling/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/scaling/fit.h"
#include "synthetic_law.h"

namespace sextant::scaling {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;

Json known_json() {
  NoProgress quiet;
  return to_json(fit_scaling(test::known_rows(), {}, quiet));
}

TEST(ScalingModel, ComesBackFromItsFile) {
  const Json json = known_json();
  EXPECT_TRUE(is_scaling_model(json));
  const ScalingModel model = scaling_from_json(Json::parse(json.dump()), "own.json");
  EXPECT_EQ(to_json(model).dump(), json.dump());
  ASSERT_TRUE(model.errors.new_network);
  EXPECT_LT(*model.errors.new_network, 0.5);
}

TEST(ScalingModel, RefusesADamagedFile) {
  const auto damaged = [](auto change) {
    Json json = known_json();
    change(json);
    return error_of([&] { scaling_from_json(json, "own.json"); });
  };
  EXPECT_THAT(damaged([](Json& j) { j["schema"] = "sextant.model/1"; }), HasSubstr("schema"));
  EXPECT_THAT(damaged([](Json& j) { j.erase("clusters"); }), HasSubstr("'clusters' is missing"));
  EXPECT_THAT(damaged([](Json& j) { j["spread"] = 0; }), HasSubstr("spread"));
  EXPECT_THAT(damaged([](Json& j) { j["shared"]["unheard"] = 1; }), HasSubstr("unheard"));
  EXPECT_THAT(damaged([](Json& j) { j["shared"]["fixed"] = 1e9; }), HasSubstr("out of range"));
  EXPECT_THAT(damaged([](Json& j) { j["cells"][0]["network"] = "other"; }), HasSubstr("which is not there"));
  EXPECT_THAT(damaged([](Json& j) {
                j["cells"][0]["log_batch_knots"] = {{1, 0}, {1, 0}};
              }),
              HasSubstr("does not ascend"));
  EXPECT_THAT(damaged([](Json& j) { j = Json::array(); }), HasSubstr("own.json"));
}

TEST(ScalingModel, SaysWhatItDoesNotKnow) {
  const ScalingModel model = scaling_from_json(known_json(), "own.json");
  const jobs::Placement one = jobs::parse_placement("1");
  EXPECT_THAT(error_of([&] {
                predict_step(model, {"smal", "fast", one, 8});
              }),
              HasSubstr("did you mean 'small'"));
  EXPECT_THAT(error_of([&] {
                predict_step(model, {"small", "moon", one, 8});
              }),
              HasSubstr("no cluster 'moon'"));
  EXPECT_THAT(error_of([&] {
                predict_step(model, {"small", "fast", jobs::Placement{.gpus = {}}, 8});
              }),
              HasSubstr("at least one GPU"));
  EXPECT_THAT(error_of([&] { predict_step(model, {"small", "fast", one, 0}); }), HasSubstr("batch"));
}

TEST(ScalingModel, ShipsOne) {
  EXPECT_TRUE(ships_scaling_model("sia"));
  EXPECT_FALSE(ships_scaling_model("moon"));
  const ScalingModel model = find_scaling_model("sia");
  EXPECT_EQ(model.clusters.size(), 5U);
  const ScaledStep step = predict_step(model, {"imagenet", "aws", jobs::parse_placement("4444"), 100});
  EXPECT_GT(step.predicted, Seconds{0.1});
  EXPECT_LT(step.predicted, Seconds{5});
  EXPECT_GT(step.communication, Seconds{0});
}

}  // namespace
}  // namespace sextant::scaling
