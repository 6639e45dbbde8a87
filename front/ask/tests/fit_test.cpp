// Which fit answers, fits and evaluations over files, and what a network costs.
#include "sextant/ask/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ask_fixture.h"
#include "sextant/ask/evaluate.h"
#include "sextant/ask/net_summary.h"

namespace sextant::ask {
namespace {

class AskFit : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(AskFit, TheMethodSaysWhichModelIsFitted) {
  EXPECT_EQ(kind_of({.response = "y"}), FitKind::regression);
  EXPECT_EQ(kind_of({.methods = {"kernel"}}), FitKind::kernel);
  EXPECT_EQ(kind_of({.methods = {"collective"}}), FitKind::collective);
  EXPECT_EQ(kind_of({.methods = {"scaling"}}), FitKind::scaling);
  EXPECT_EQ(test::field_of([] { kind_of({.methods = {"ridge", "kernel"}}); }), "method");
  EXPECT_EQ(test::field_of([] { kind_of({.response = "y", .stack = "mine"}); }), "method");
  EXPECT_EQ(test::field_of([] { kind_of({}); }), "response");
}

TEST_F(AskFit, ALineIsFittedAndEvaluated) {
  std::string rows = "x,y\n";
  for (int x = 1; x <= 30; ++x) rows += std::to_string(x) + "," + std::to_string(3 + 2 * x) + "\n";
  const std::string data = write("line.csv", rows);
  FitQuestion question{.data = {data}, .response = "y", .methods = {"stepwise"}, .set = {"degree=1"}};
  NoProgress quiet;
  const learn::FitReport report = fit_regression(question, quiet);
  const std::string model = write("model.json", to_json(report.model).dump());
  const EvaluateAnswer judged = evaluate({.model = model, .data = {data}});
  const auto& line = std::get<RegressionEvaluation>(judged);
  ASSERT_EQ(line.evaluation.rows.size(), 30U);
  EXPECT_NEAR(line.evaluation.rows[9].prediction.value, 23, 0.01);
  question.set = {"degree"};
  EXPECT_EQ(test::field_of([&] { return fit_regression(question, quiet); }), "set");
}

TEST_F(AskFit, ALawOfScalingIsJudgedOnEveryRow) {
  const std::string header = "net,cluster,placement,batch,measured_s\n";
  const std::string good = write("good.csv", header + "imagenet,aws,4444,100,0.5\nimagenet,aws,1,100,0.4\n");
  const EvaluateAnswer judged = evaluate({.model = "sia", .data = {good}});
  const auto& law = std::get<ScalingEvaluation>(judged);
  ASSERT_EQ(law.steps.size(), 2U);
  const auto error = [&](std::size_t i) {
    return std::abs(law.steps[i].answer.predicted.value / law.steps[i].measured.value - 1);
  };
  EXPECT_NEAR(law.mean_error, (error(0) + error(1)) / 2, 1e-12);
  const std::string bad = write("bad.csv", header + "nobody,aws,1,100,0.4\n");
  EXPECT_THROW(evaluate({.model = "sia", .data = {bad}}), InputError);
}

TEST_F(AskFit, AStackNeedsANameAndRows) {
  const std::string data = write("timed.csv", "net,gpu,measured_s\nresnet18,t4,0.1\n");
  FitQuestion question{.data = {data}, .methods = {"kernel"}};
  NoProgress quiet;
  const auto fit = [&] { return fit_kernel(question, test::known(), quiet); };
  EXPECT_EQ(test::field_of(fit), "stack");
  question.stack = "mine";
  EXPECT_EQ(test::field_of(fit), "data") << "one step is too few";
}

TEST(AskNet, TheSummaryIsOfTheSizesAskedFor) {
  const NetSummary one = summarize_net({.net = {"resnet50"}});
  const NetSummary two = summarize_net({.net = {.name = "resnet50", .image = 160}, .batch = 2});
  EXPECT_EQ(one.sizes.image, 224);
  EXPECT_EQ(two.sizes.image, 160);
  EXPECT_EQ(one.cost.total.parameters, two.cost.total.parameters);
  EXPECT_TRUE(one.warnings.empty());
  EXPECT_THROW(summarize_net({.net = {"resnet5O"}}), InputError);
}

}  // namespace
}  // namespace sextant::ask
