#include "sextant/jobs/throughputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

using ::testing::HasSubstr;

std::string parse_error(const std::string& text) {
  try {
    (void)ThroughputTable::parse(text, "t.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kSmall = R"json({
 "v100": {"('LM (batch size 5)', 1)": {"null": 8.5, "('A3C', 1)": [3, 2.5]},
          "('LM (batch size 5)', 2)": {"null": 16}},
 "v100_unconsolidated": {"('LM (batch size 5)', 2)": {"null": 9}},
 "k80": {"('A3C', 1)": {"null": 0}}
})json";

TEST(ThroughputKey, IsAPythonTuple) {
  EXPECT_EQ(parse_throughput_key("('ResNet-50 (batch size 64)', 4)"),
            (ThroughputKey{"ResNet-50 (batch size 64)", 4}));
  EXPECT_EQ(parse_throughput_key("(\"it's, x\", 1)"), (ThroughputKey{"it's, x", 1}));
  EXPECT_EQ(parse_throughput_key(R"json(('it\'s', 1))json"), (ThroughputKey{"it's", 1}));
  for (const char* bad : {"", "()", "('x')", "('x', )", "('x', 0)", "('x', -1)", "('x', 1.5)", "('x' 1)",
                          "x, 1", "('x, 1)", "('', 1)", "('x\\", "('x', 1", "null"}) {
    EXPECT_FALSE(parse_throughput_key(bad)) << bad;
  }
}

TEST(ThroughputTable, AloneSpreadAndTogether) {
  const ThroughputTable table = ThroughputTable::parse(kSmall, "t.json");
  EXPECT_EQ(table.types(), (std::vector<std::string>{"v100", "k80"}));
  ASSERT_EQ(table.keys().size(), 3U);
  const auto v100 = table.find_type("V100").value();
  const auto k80 = table.find_type("k80").value();
  const auto lm1 = table.find_key("LM (batch size 5)", 1).value();
  const auto lm2 = table.find_key("LM (batch size 5)", 2).value();
  const auto a3c = table.find_key("A3C", 1).value();
  EXPECT_FALSE(table.find_key("A3C", 2));
  EXPECT_FALSE(table.find_type("a100"));
  EXPECT_EQ(table.alone(v100, lm1), 8.5);
  EXPECT_EQ(table.alone(v100, a3c), 0);  // not in the table
  EXPECT_EQ(table.spread(v100, lm2), 9);
  EXPECT_FALSE(table.spread(v100, lm1));
  EXPECT_EQ(table.together(v100, lm1, a3c), (std::pair{3.0, 2.5}));
  EXPECT_EQ(table.together(v100, a3c, lm1), (std::pair{2.5, 3.0}));  // the same pair seen from the other
  EXPECT_FALSE(table.together(k80, a3c, lm1));
}

// What stands in the object of the only job of the only type.
std::string error_of_job(const std::string& inside) {
  return parse_error("{\"v100\": {\"('LM', 1)\": {" + inside + "}}}");
}

TEST(ThroughputTable, WhatIsWrongHasItsPlace) {
  EXPECT_THAT(parse_error("{\"v100\": {\"LM\": {}}}"), HasSubstr("t.json:1:11: error: 'LM' names no job"));
  EXPECT_THAT(error_of_job("\"null\": -2"), HasSubstr("t.json:1:33: error: a speed must be finite"));
  EXPECT_THAT(error_of_job("\"null\": 1e999"), HasSubstr("t.json:1:33: error: this is not JSON: number"));
  EXPECT_THAT(error_of_job("\"null\": NaN"), HasSubstr("t.json:1:33: error: this is not JSON: "));
  EXPECT_THAT(error_of_job("\"null\": null"), HasSubstr("null has no place"));
  EXPECT_THAT(error_of_job("\"null\": [1, 2]"), HasSubstr("a list has no place"));
  EXPECT_THAT(error_of_job("\"('LM', 1)\": 3"), HasSubstr("a number has no place"));
  EXPECT_THAT(error_of_job("\"('LM', 1)\": [1, 2, 3]"), HasSubstr("here are 3"));
  EXPECT_THAT(error_of_job("\"('LM', 1)\": [1]"), HasSubstr("here are 1"));
  EXPECT_THAT(error_of_job("\"null\": 1, \"null\": 2"), HasSubstr("'null' stands twice"));
  EXPECT_THAT(parse_error("{\"v100\": {}, \"v100\": {}}"), HasSubstr("'v100' stands twice"));
  EXPECT_THAT(parse_error("{\"v100_unconsolidated\": {\"('LM', 1)\": {\"null\": 1}}, \"k80\": {}}"),
              HasSubstr("and not 'v100'"));
  EXPECT_THAT(parse_error("{\"v100\": 3}"), HasSubstr("a number has no place"));
  EXPECT_THAT(parse_error("[1, 2]"), HasSubstr("a list has no place"));
  EXPECT_THAT(parse_error("{}"), HasSubstr("has no throughputs"));
  EXPECT_THAT(parse_error(""), HasSubstr("this is not JSON"));
  EXPECT_THAT(parse_error(std::string(kSmall).substr(0, 100)), HasSubstr("this is not JSON"));
  EXPECT_THAT(parse_error(std::string(100'000, '[')), HasSubstr("a list has no place"));
}

// 26 models, 83 keys; ResNet-50 with a batch of 128 does not fit two K80s (reference semantics of Gavel).
TEST(ThroughputTable, GavelsTable) {
  SEXTANT_NEEDS_DATA(file, "gavel/simulation_throughputs.json");
  const ThroughputTable table = ThroughputTable::read_file(file);
  EXPECT_EQ(table.types(), (std::vector<std::string>{"k80", "p100", "v100"}));
  EXPECT_EQ(table.keys().size(), 83U);
  EXPECT_EQ(table.alone(0, table.find_key("ResNet-50 (batch size 128)", 2).value()), 0);
  // The same figures stand in a table of their own, with six digits.
  SEXTANT_NEEDS_DATA(csv_file, "gavel/isolated_throughputs.csv");
  const CsvTable csv = CsvTable::read_file(csv_file);
  std::size_t compared = 0;
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    if (csv.text(row, 0) != "gavel_simulation" || csv.text(row, 2) != "1" || csv.empty(row, 4)) continue;
    const std::string model = csv.text(row, 3) + " (batch size " + csv.text(row, 4) + ")";
    const auto key = table.find_key(model, csv.integer(row, 5));
    ASSERT_TRUE(key) << model;
    const double steps = csv.number(row, 6);
    EXPECT_NEAR(table.alone(table.find_type(csv.text(row, 1)).value(), *key), steps, 1e-5 * (1 + steps))
        << model;
    ++compared;
  }
  EXPECT_GT(compared, 200U);
  std::size_t spread = 0;
  for (std::size_t key = 0; key < table.keys().size(); ++key) spread += table.spread(2, key) ? 1 : 0;
  EXPECT_GT(spread, 50U);
}

}  // namespace
}  // namespace sextant::jobs
