#include "sextant/report/regression_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

learn::DataTables line() {
  std::string csv = "x,y\n";
  for (int i = 1; i <= 30; ++i) csv += std::to_string(i) + "," + std::to_string(2 * i + (i % 3)) + "\n";
  return learn::DataTables({CsvTable::parse(csv, "line.csv")});
}

learn::FitReport fitted(const std::vector<std::string>& methods) {
  learn::FitRequest request;
  request.data = {"y", {"x"}};
  request.methods = methods;
  request.validation = learn::parse_validation("kfold:3");
  NoProgress silent;
  return fit_model(line(), request, silent);
}

Table methods_of(const learn::FitReport& report) {
  return fit_result(report).sections.at(0).table;
}

TEST(RegressionReport, MethodsStandSideBySide) {
  const Table table = methods_of(fitted({"ols", "nnls"}));
  ASSERT_EQ(table.rows.size(), 3U);
  const Json rows = to_json(table);
  EXPECT_EQ(rows.at(0).at("method"), "ols");
  EXPECT_EQ(rows.at(0).at("n"), 30);
  for (const char* key : {"mean_ape_percent", "median_ape_percent", "p90_ape_percent", "bias_percent", "r2",
                          "coverage_percent"}) {
    EXPECT_TRUE(rows.at(0).at(key).is_number()) << key;
  }
  EXPECT_THAT(rows.at(2).at("method").get<std::string>(), testing::StartsWith("auto: "));
  EXPECT_THAT(table.notes.back(), testing::HasSubstr("was chosen by an inner test on the training rows. The "
                                                     "whole procedure's error on unseen rows is "));
}

// The choice is made by inner rows; another method may look better on the outer ones, which is then
// explained.
TEST(RegressionReport, AMethodThatLooksBetterIsExplained) {
  learn::FitReport report = fitted({"ols", "nnls"});
  for (learn::MethodReport& each : report.methods) {
    if (each.method != report.model.method && !each.method.starts_with("auto"))
      each.metrics.ape->mean = 0.001;
  }
  const std::string other = report.model.method == "ols" ? "nnls" : "ols";
  EXPECT_THAT(
      methods_of(report).notes.back(),
      testing::AllOf(testing::HasSubstr("Do not choose " + other + " because it looks better in this table"),
                     testing::HasSubstr("say `method` " + other)));
  for (learn::MethodReport& each : report.methods) {
    if (each.method == report.model.method) each.metrics.ape->mean = 0.0001;
  }
  EXPECT_THAT(methods_of(report).notes.back(), testing::Not(testing::HasSubstr("looks better")));
}

TEST(RegressionReport, AMethodThatFailsSaysWhy) {
  learn::FitReport report = fitted({"ols", "nnls"});
  report.methods[0].failure = "too few rows";
  const Table table = methods_of(report);
  EXPECT_EQ(table.rows[0][1].shown, "cannot be fitted: too few rows");
  EXPECT_TRUE(to_json(table).at(0).at("n").is_null());
}

TEST(RegressionReport, ABiasThatRoundsToNothingHasNoSign) {
  learn::FitReport report = fitted({"ols"});
  report.methods[0].metrics.ape->bias = -0.001;
  EXPECT_EQ(methods_of(report).rows[0][6].shown, "0.00 %");
  report.methods[0].metrics.ape->bias = -0.01;
  EXPECT_EQ(methods_of(report).rows[0][6].shown, "-0.01 %");
}

TEST(RegressionReport, PredictionsKeepTheRowsAndAddTheirs) {
  const learn::FitReport report = fitted({"ols"});
  const learn::DataTables queries({CsvTable::parse("note,x,y\nfirst,3,6\nfar,900,1800\n", "q.csv")});
  const learn::Evaluation evaluation = evaluate_model(report.model, queries);
  std::ostringstream csv;
  render_csv(csv, predictions_table(queries, evaluation));
  EXPECT_THAT(csv.str(), testing::StartsWith("note,x,y,predicted,low,high,extrapolating\nfirst,3,6,"));
  EXPECT_THAT(csv.str(), testing::EndsWith(",true\n"));
  const Json row = to_json(evaluation_result(report.model, evaluation));
  EXPECT_EQ(row.at("n"), 2);
  EXPECT_EQ(row.at("extrapolating"), 1);
}

TEST(RegressionReport, ThePlotHasEveryLeftOutRow) {
  const Scatter plot = residual_plot(fitted({"ols"}));
  EXPECT_EQ(plot.points.size(), 30U);
  EXPECT_EQ(plot.quantity, "y");
  EXPECT_EQ(plot.title, "ols, left-out rows (kfold:3)");
}

}  // namespace
}  // namespace sextant::report
