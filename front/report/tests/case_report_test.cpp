#include "sextant/report/case_report.h"

#include <gtest/gtest.h>

#include <sstream>

namespace sextant::report {
namespace {

predict::CaseAnswer half_a_second() {
  return {.predicted = Seconds{0.5},
          .interval = {.low = Seconds{0.25}, .high = Seconds{1}},
          .breakdown = {.compute = Seconds{0.25},
                        .communication = Seconds{0},
                        .input = Seconds{0.125},
                        .overhead = Seconds{0.125}},
          .memory = Bytes{1024},
          .fits = true,
          .extrapolating = true};
}

std::string written(const std::string& csv, const predict::CaseAnswers& answers) {
  std::ostringstream out;
  write_case_answers(out, CsvTable::parse(csv, "cases.csv"), answers);
  return out.str();
}

const std::string kAdded =
    "predicted_s,low_s,high_s,compute_s,communication_s,overhead_s,memory_bytes,fits,extrapolating,chosen_"
    "strategy,error\n";

TEST(CaseReport, AnswersFollowTheColumnsOfTheFile) {
  EXPECT_EQ(written("note,net\n\"a, \"\"b\"\"\",resnet18\n", {{half_a_second()}, {0}}),
            "note,net," + kAdded + "\"a, \"\"b\"\"\",resnet18,0.5,0.25,1,0.25,0,0.25,1024,true,true,,\n");
}

TEST(CaseReport, SaysWhichStrategyWasChosen) {
  predict::CaseAnswer many = half_a_second();
  many.strategy = "pipeline:micro=8";
  EXPECT_EQ(written("net\nx\n", {{many}, {0}}),
            "net," + kAdded + "x,0.5,0.25,1,0.25,0,0.25,1024,true,true,pipeline:micro=8,\n");
}

TEST(CaseReport, ALowerBoundHasNoUpperEnd) {
  predict::CaseAnswer bound = half_a_second();
  bound.interval.high.reset();
  EXPECT_EQ(written("net\nx\n", {{bound}, {0}}),
            "net," + kAdded + "x,0.5,0.25,,0.25,0,0.25,1024,true,true,,\n");
}

TEST(CaseReport, AnErrorStandsAlone) {
  predict::CaseAnswer failed;
  failed.error = "net: unknown, sorry";
  EXPECT_EQ(written("net\nx\n", {{failed}, {0}}), "net," + kAdded + "x,,,,,,,,,,,\"net: unknown, sorry\"\n");
}

TEST(CaseReport, RowsShareAnswers) {
  predict::CaseAnswer failed;
  failed.error = "no";
  EXPECT_EQ(written("net\nx\ny\nz\n", {{failed, half_a_second()}, {1, 0, 1}}),
            "net," + kAdded +
                "x,0.5,0.25,1,0.25,0,0.25,1024,true,true,,\n"
                "y,,,,,,,,,,,no\n"
                "z,0.5,0.25,1,0.25,0,0.25,1024,true,true,,\n");
}

TEST(CaseReport, ColumnsOfAnOlderAnswerAreReplaced) {
  const std::string once = written("net\nx\n", {{half_a_second()}, {0}});
  EXPECT_EQ(written(once, {{half_a_second()}, {0}}), once);
}

TEST(CaseReport, LongFilesAreWrittenInPieces) {
  std::string csv = "net\n";
  for (int row = 0; row < 50000; ++row) csv += "x\n";
  predict::CaseAnswers answers{{half_a_second()}, std::vector<std::uint32_t>(50000, 0)};
  const std::string text = written(csv, answers);
  EXPECT_EQ(std::ranges::count(text, '\n'), 50001);
  EXPECT_EQ(CsvTable::parse(text, "answers.csv").rows(), 50000U);
}

}  // namespace
}  // namespace sextant::report
