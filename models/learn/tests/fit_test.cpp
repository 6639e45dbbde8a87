// The whole way: a table in, a validated model out.
#include "sextant/learn/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::learn {
namespace {

using testing::Contains;
using testing::HasSubstr;

struct MadeUp {
  std::size_t rows = 60;
  double noise = 0.03;
  double shift = 0;   // added to every response
  double spoilt = 1;  // factor on the responses above batch 64
};

// time = (0.2 + w batch / gpus) (1 + noise), w by network; "lab" is constant, "twice" is 2 batch.
DataTables made_up(const MadeUp& how = {}) {
  Rng rng = Rng(5).stream("made-up");
  std::ostringstream csv;
  csv.precision(17);
  csv << "net,batch,gpus,lab,twice,time\n";
  const double batches[] = {8, 16, 32, 64, 128};
  for (std::size_t i = 0; i < how.rows; ++i) {
    const double batch = batches[i % 5];
    const double gpus = static_cast<double>(1 + (i / 5) % 4);
    const bool large = i % 2 == 0;
    const double time = (0.2 + (large ? 0.05 : 0.02) * batch / gpus) * (1 + how.noise * rng.normal());
    csv << (large ? "large" : "small") << ',' << batch << ',' << gpus << ",7," << 2 * batch << ','
        << time * (batch > 64 ? how.spoilt : 1) + how.shift << '\n';
  }
  return DataTables({CsvTable::parse(csv.str(), "made_up.csv")});
}

FitRequest request(const std::vector<std::string>& methods, const std::string& validation = "kfold:4") {
  FitRequest out;
  out.data = {"time", {"net", "batch", "gpus"}};
  out.methods = methods;
  out.validation = parse_validation(validation);
  return out;
}

FitReport fitted(const DataTables& tables, const FitRequest& r) {
  NoProgress silent;
  return fit_model(tables, r, silent);
}

TEST(Fit, MethodsStandSideBySideAndTheBestInsideBecomesTheModel) {
  const FitReport report = fitted(made_up(), request({"ols", "stepwise", "nnls"}));
  ASSERT_EQ(report.methods.size(), 4U);
  EXPECT_EQ(report.methods[0].method, "ols");
  EXPECT_EQ(report.methods[3].method, "auto: stepwise");
  EXPECT_EQ(report.model.method, "stepwise");
  EXPECT_EQ(report.model.error.procedure, "auto");
  EXPECT_EQ(report.model.error.metrics.n, 60U);
  // Products of three columns hold the law; what is left is the noise, 0.03 * sqrt(2 / pi) = 2.4 %.
  EXPECT_LT(report.model.error.metrics.ape->mean, 4);
  EXPECT_GT(report.methods[0].metrics.ape->mean, 20);
  EXPECT_GT(*report.model.error.metrics.coverage, 80);
}

TEST(Fit, IsTheSameForAnyNumberOfThreads) {
  const DataTables tables = made_up();
  FitRequest r = request({"ridge", "svr", "random-forest"});
  r.fixed = {{"trees", 20}};
  r.threads = 1;
  const std::string one = to_json(fitted(tables, r).model).dump();
  r.threads = 5;
  EXPECT_EQ(to_json(fitted(tables, r).model).dump(), one);
  r.seed = 1;
  EXPECT_NE(to_json(fitted(tables, r).model).dump(), one);
}

// The rows that measure the error must not take part in any choice: spoiling their responses changes
// none of their predictions.
TEST(Fit, OuterRowsChooseNothing) {
  const FitRequest r = request({"ols", "stepwise", "ridge", "nnls", "svr"}, "extrapolate:batch:64");
  const FitReport clean = fitted(made_up(), r);
  const FitReport spoilt = fitted(made_up({.spoilt = 50}), r);
  ASSERT_EQ(clean.methods.size(), 6U);
  for (std::size_t m = 0; m < clean.methods.size(); ++m) {
    ASSERT_EQ(clean.methods[m].outer.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(clean.methods[m].outer[i].predicted, spoilt.methods[m].outer[i].predicted) << m;
      EXPECT_TRUE(clean.methods[m].outer[i].extrapolating);
    }
    EXPECT_GT(spoilt.methods[m].metrics.ape->mean, 80);
  }
}

TEST(Fit, IntervalsCoverWhatTheyState) {
  const FitReport report = fitted(made_up({.rows = 400}), request({"stepwise"}, "kfold:5"));
  EXPECT_NEAR(*report.model.error.metrics.coverage, 90, 5);
  // 90 % of a normal error of 3 % lie within 1.645 * 3 % = 4.9 %.
  EXPECT_NEAR(*report.model.calibration.inside, 0.049, 0.015);
  EXPECT_GE(*report.model.calibration.outside, 1.5 * *report.model.calibration.inside);
  const Evaluation fresh = evaluate_model(report.model, made_up({.rows = 300}));
  EXPECT_NEAR(*fresh.metrics.coverage, 90, 6);
  EXPECT_EQ(fresh.extrapolating, 0U);
}

TEST(Fit, LeavingTheTrainedRangeIsFlaggedAndWidens) {
  const FitReport report = fitted(made_up(), request({"stepwise"}));
  const DataTables queries({CsvTable::parse(
      "net,batch,gpus,time\nlarge,32,2,1\nlarge,512,2,1\nhuge,32,2,1\nlarge,1,64,1\n", "q.csv")});
  const auto rows = evaluate_model(report.model, queries).rows;
  EXPECT_FALSE(rows[0].prediction.extrapolating);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(rows[i].prediction.extrapolating) << i;
  const auto half = [](const RowPrediction& p) { return (p.interval->high - p.value) / p.value; };
  EXPECT_GT(half(rows[1].prediction), 1.4 * half(rows[0].prediction));
  for (const auto& row : rows) EXPECT_GT(row.prediction.value, 0);
}

TEST(Fit, SaysWhatWasDropped) {
  FitRequest r = request({"ols"});
  r.data.features = {"all"};
  const FitReport report = fitted(made_up(), r);
  EXPECT_THAT(report.notes, Contains("dropped lab: constant"));
  EXPECT_THAT(report.notes, Contains(HasSubstr(": linear combination of the kept columns")));
}

TEST(Fit, AResponseThatMayBeNegativeIsJudgedByItsRmse) {
  const FitReport report = fitted(made_up({.shift = -1}), request({"ols", "ridge", "svr"}));
  EXPECT_FALSE(report.model.error.metrics.ape.has_value());
  EXPECT_GT(report.model.error.metrics.rmse, 0);
  EXPECT_EQ(report.model.calibration.scale, ErrorScale::absolute);
  EXPECT_EQ(report.model.floor, 0);
  EXPECT_THAT(report.notes, Contains(HasSubstr("percentage errors are not defined")));
  for (const auto& method : report.methods) EXPECT_EQ(method.parameters.at("relative"), 0);
}

TEST(Fit, FewRowsFailByNameOrMakeNoInterval) {
  const DataTables four = made_up({.rows = 4});
  const auto error = sextant::test::error_of([&] { fitted(four, request({"ols"}, "kfold:2")); });
  EXPECT_THAT(error, HasSubstr("ols cannot be fitted"));
  EXPECT_THAT(error, HasSubstr("hint: stepwise, ridge and nnls"));
  const FitReport some = fitted(four, request({"ols", "ridge"}, "kfold:2"));
  EXPECT_FALSE(some.methods[0].failure.empty());
  EXPECT_EQ(some.model.method, "ridge");
  EXPECT_FALSE(some.model.calibration.inside.has_value());
  EXPECT_THAT(some.notes, Contains("no interval: it takes at least 9 left-out rows"));
}

TEST(Fit, ParametersCanBeFixed) {
  FitRequest r = request({"stepwise"});
  r.fixed = {{"degree", 1}, {"residual-correlation", 1}};
  const FitReport report = fitted(made_up(), r);
  EXPECT_EQ(report.model.parameters.at("degree"), 1);
  EXPECT_EQ(report.model.parameters.at("residual-correlation"), 1);
  r.fixed = {{"degre", 1}};
  EXPECT_THAT(sextant::test::error_of([&] { fitted(made_up(), r); }), HasSubstr("did you mean 'degree'?"));
  r.fixed = {{"degree", 9}};
  EXPECT_THAT(sextant::test::error_of([&] { fitted(made_up(), r); }), HasSubstr("from 0 to 4"));
  r.fixed = {{"relative", 1}};
  EXPECT_THAT(sextant::test::error_of([&] { fitted(made_up({.shift = -1}), r); }),
              HasSubstr("needs a positive response"));
  EXPECT_THAT(sextant::test::error_of([&] { fitted(made_up(), request({"rigde"})); }),
              HasSubstr("did you mean 'ridge'?"));
}

TEST(Fit, GroupsAreLeftOutWhole) {
  const FitReport report = fitted(made_up(), request({"stepwise", "ridge"}, "leave-group-out:gpus"));
  EXPECT_EQ(report.model.error.metrics.n, 60U);
  EXPECT_EQ(report.model.error.validation, "leave-group-out:gpus");
  FitRequest text = request({"ridge"}, "leave-group-out:net");
  text.data.features = {"all"};
  for (const auto& feature : fitted(made_up(), text).model.features) EXPECT_NE(feature.name, "net");
}

class CountingProgress final : public Progress {
 public:
  void step(std::int64_t done, std::int64_t of, const std::string&) override {
    EXPECT_EQ(done, last + 1);
    last = done;
    total = of;
  }
  std::int64_t last = 0;
  std::int64_t total = 0;
};

TEST(Fit, ProgressReachesItsEnd) {
  CountingProgress progress;
  fit_model(made_up(), request({"ols", "nnls"}), progress);
  EXPECT_GT(progress.total, 0);
  EXPECT_EQ(progress.last, progress.total);
}

}  // namespace
}  // namespace sextant::learn
