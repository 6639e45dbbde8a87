// Where the time of an iteration goes, on a terminal of eighty columns.
#include "sextant/report/measure_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::Not;

measure::TrialResult measured(std::int64_t batch) {
  measure::TrialResult result;
  result.trial.job.sizes.batch = batch;
  result.trial.transport = "none";
  result.iteration_s = {.median = 0.0123, .p10 = 0.0121, .p90 = 0.0131};
  result.median_interval = {0.0122, 0.0124};
  result.breakdown.input_s = 1e-4;
  result.breakdown.forward_s = 0.0041;
  result.breakdown.backward_s = 0.0072;
  result.breakdown.optimizer_s = 0.0009;
  result.samples_per_s = 2600;
  result.peak_rss_bytes = 300e6;
  result.measured = 60;
  return result;
}

std::string measured_screen(const std::vector<std::int64_t>& batches, int width) {
  measure::CampaignResult campaign;
  for (const std::int64_t batch : batches) campaign.results.push_back(measured(batch));
  std::ostringstream out;
  render_screen(out, measurements_result(campaign).sections.at(0).table, {.color = false, .width = width});
  return out.str();
}

TEST(MeasureReport, SaysWhereTheTimeGoesOnEightyColumns) {
  const std::string screen = measured_screen({32}, 80);
  EXPECT_THAT(screen,
              HasSubstr("net lenet5, batch 32, strategy single, workers 1, servers 0, transport none"));
  EXPECT_THAT(screen, HasSubstr("input  forward  backward  comm."));
  EXPECT_THAT(screen, HasSubstr("100 us  4.10 ms   7.20 ms    0 s")) << screen;
  EXPECT_THAT(screen, HasSubstr("95 % low, 95 % high: interval of the median iteration"));
  EXPECT_THAT(screen, Not(HasSubstr("\nexposed: "))) << "the column is not there";
}

TEST(MeasureReport, BatchesTellRowsApart) {
  const std::string screen = measured_screen({32, 64}, 80);
  EXPECT_THAT(screen, HasSubstr("All rows: net lenet5, strategy single"));
  EXPECT_THAT(screen, HasSubstr("\n   32 "));
  EXPECT_THAT(screen, HasSubstr("\n   64 "));
  EXPECT_THAT(screen, HasSubstr("backward"));
}

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
