// Answers stand beside the rows they belong to, and tables carry exact values.
#include "sextant/report/collective_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

TEST(CollectiveReport, AnswersBesideRows) {
  const auto table = CsvTable::parse("id,error,system\n1,old,\"a,b\"\n2,old,c\n", "c.csv");
  collectives::CollectiveAnswer good;
  good.estimate.time = Seconds{0.5};
  good.estimate.low = Seconds{0.25};
  good.estimate.high = Seconds{1};
  good.estimate.latency = Seconds{0.125};
  good.estimate.transfer = Seconds{0.375};
  std::ostringstream out;
  const std::vector<collectives::CollectiveAnswer> answers = {good, {{}, "bytes: not known, really"}};
  write_cases_csv(out, collective_case_answers(table, answers));
  EXPECT_EQ(out.str(),
            "id,system,predicted_s,low_s,high_s,latency_s,transfer_s,error\n"
            "1,\"a,b\",0.5,0.25,1,0.125,0.375,\n"
            "2,c,,,,,,\"bytes: not known, really\"\n");
}

TEST(CollectiveReport, TableNotesWhatWasNeverTimed) {
  ask::CollectiveRow row{"mine", {collectives::Collective::all_gather, 4, 1, Bytes{1024}}, {}};
  row.estimate.time = Seconds{2};
  EXPECT_EQ(collective_result({.rows = {row}}).sections.at(0).table.notes.size(), 1U);
  row.estimate.known = collectives::Known::placement;
  const Table table = collective_result({.rows = {row}}).sections.at(0).table;
  EXPECT_TRUE(table.notes.empty());
  std::ostringstream out;
  render_csv(out, table);
  EXPECT_NE(out.str().find("mine,all-gather,4,1,1024,2,"), std::string::npos);
}

TEST(CollectiveReport, CalibrationHasALineForEachWire) {
  const Table table = collective_fit_result(collectives::prior_calibration()).sections.at(0).table;
  EXPECT_EQ(table.rows.size(), collectives::kWires.size());
  EXPECT_EQ(table.notes.size(), 3U);
}

TEST(CollectiveReport, AlgorithmsWithTheirParts) {
  const ask::AlgorithmRow row{"mine", {}, {Seconds{1}, Seconds{2}, collectives::Algorithm::tree}};
  const Table table = collective_result({.algorithms = {row}}).sections.at(0).table;
  std::ostringstream out;
  render_csv(out, table);
  EXPECT_NE(out.str().find(",tree,3,1,2"), std::string::npos);
}

}  // namespace
}  // namespace sextant::report
