#include "sextant/learn/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "sextant/learn/fit.h"

namespace sextant::learn {
namespace {

using testing::HasSubstr;

DataTables runs() {
  std::string csv = "gpu,batch,double,time\n";
  for (int i = 1; i <= 24; ++i) {
    csv += std::string(i % 3 == 0 ? "t4" : "v100") + "," + std::to_string(i) + "," + std::to_string(2 * i) +
           "," + std::to_string(1 + 0.1 * i + (i % 3 == 0 ? 0.5 : 0) + 0.01 * (i % 5)) + "\n";
  }
  return DataTables({CsvTable::parse(csv, "runs.csv")});
}

Model fitted(const std::string& method) {
  FitRequest request;
  request.data = {"time", {"all"}};
  request.methods = {method};
  request.validation = parse_validation("kfold:3");
  if (method == "ernest") request.data.features = {"batch", "double"};
  NoProgress silent;
  return fit_model(runs(), request, silent).model;
}

TEST(ModelFile, EveryMethodComesBackTheSame) {
  for (const auto& method : methods().all()) {
    const Model model = fitted(method.id);
    const std::string text = to_json(model).dump(1);
    const Model loaded = model_from_json(Json::parse(text), "model.json");
    EXPECT_EQ(to_json(loaded).dump(1), text) << method.id;
    const Evaluation a = evaluate_model(model, runs());
    const Evaluation b = evaluate_model(loaded, runs());
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      EXPECT_EQ(a.rows[i].prediction.value, b.rows[i].prediction.value) << method.id;
      EXPECT_EQ(a.rows[i].prediction.interval, b.rows[i].prediction.interval) << method.id;
      EXPECT_EQ(a.rows[i].prediction.extrapolating, b.rows[i].prediction.extrapolating) << method.id;
    }
    EXPECT_EQ(a.extrapolating, 0U) << method.id;
  }
}

// In training `double` was always twice `batch`: a query that breaks this is outside, box or not.
TEST(ModelFile, ARelationOfTheTrainingRowsIsPartOfTheRange) {
  const Model model = model_from_json(to_json(fitted("ridge")), "model.json");
  EXPECT_FALSE(predict(model, {{1, 10, 20}, false}).extrapolating);
  EXPECT_TRUE(predict(model, {{1, 10, 40}, false}).extrapolating);
  EXPECT_TRUE(predict(model, {{1, 10, 20}, true}).extrapolating);
}

TEST(ModelFile, APositiveResponseStaysPositive) {
  const Model model = fitted("ols");
  const RowPrediction far = predict(model, {{0, -1e6, -2e6}, false});
  EXPECT_EQ(far.value, model.floor);
  EXPECT_GT(far.value, 0);
  EXPECT_TRUE(far.extrapolating);
}

TEST(ModelFile, FaultsAreNamed) {
  const Json good = to_json(fitted("ols"));
  const auto error = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return sextant::test::error_of([&] { model_from_json(bad, "model.json"); });
  };
  EXPECT_THAT(error("/schema", "sextant.model/9"), HasSubstr("model.json: error: schema 'sextant.model/9'"));
  EXPECT_THAT(error("/method", "rigde"), HasSubstr("did you mean 'ridge'?"));
  EXPECT_THAT(error("/rows", -1), HasSubstr("'rows' is not a whole number from 0 on"));
  EXPECT_THAT(error("/fit/intercept", nullptr), HasSubstr("'fit.intercept' is not a number"));
  EXPECT_THAT(error("/fit/terms/0/factors/0/column", "nobody"), HasSubstr("'nobody', which is no feature"));
  EXPECT_THAT(error("/features/0/values", Json::array()), HasSubstr("'features[0].values' is empty"));
  EXPECT_THAT(error("/domain/ranges", Json::array()),
              HasSubstr("'domain.ranges' does not have every column"));
  EXPECT_THAT(error("/domain/leverage/columns/0", 99), HasSubstr("the leverage names a column"));
  EXPECT_THAT(error("/domain/leverage/means", Json::array()), HasSubstr("differ in length"));
  EXPECT_THAT(error("/interval/scale", "wide"), HasSubstr("neither relative nor absolute"));
  EXPECT_THAT(error("/features", 3), HasSubstr("'features' is not a list"));
  Json missing = good;
  missing.erase("error");
  EXPECT_THAT(sextant::test::error_of([&] { model_from_json(missing, "m.json"); }),
              HasSubstr("'error' is missing"));
}

}  // namespace
}  // namespace sextant::learn
