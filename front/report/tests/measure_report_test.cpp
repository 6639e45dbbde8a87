#include "sextant/report/measure_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

// Interrupted in the first round: a sentence instead of a row without a number.
TEST(MeasureReport, NothingMeasuredIsASentence) {
  measure::CampaignResult campaign{
      .results = {}, .machine = {}, .interrupted = true, .ending = "Interrupted."};
  campaign.results.emplace_back().trial.job.net = "resnet18";
  const Result result = measurements_result(campaign);
  EXPECT_FALSE(result.sections.at(0).shown);
  EXPECT_TRUE(result.sections.at(1).shown);
  EXPECT_THAT(result.sections.at(1).table.notes, testing::ElementsAre("Interrupted."));
  EXPECT_EQ(to_json(result)["measurements"].size(), 1U) << "files have all of it";
  campaign.results[0].measured = 3;
  EXPECT_TRUE(measurements_result(campaign).sections.at(0).shown);
}

}  // namespace
}  // namespace sextant::report
