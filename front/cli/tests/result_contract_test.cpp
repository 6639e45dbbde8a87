// What every result promises to programs: one object that says its schema first and its provenance once, and
// CSV whose columns have names of their own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "result_commands.h"
#include "sextant/core/csv.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

class ResultContract : public CliFixture, public testing::WithParamInterface<const char*> {
 protected:
  static std::string answer(const std::vector<std::string>& more) {
    return outcome_of(GetParam(), more, Terminal{}).out;
  }
};

// Members of that name, at any depth.
int members(const Json& json, const std::string& name) {
  int count = 0;
  for (const auto& [key, value] : json.items()) {
    if (json.is_object() && key == name) ++count;
    if (value.is_structured()) count += members(value, name);
  }
  return count;
}

TEST_P(ResultContract, JsonIsOneObjectThatSaysItsSchemaFirst) {
  const Json json = Json::parse(answer({"--json", "--no-provenance"}));
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_TRUE(
      std::regex_match(json.begin().value().get<std::string>(), std::regex("sextant\\.[a-z-]+/[0-9]+")))
      << json.begin().value();
  EXPECT_EQ(members(json, "provenance"), 0);
}

TEST_P(ResultContract, ProvenanceIsSaidOnceAtTheTop) {
  const Json json = Json::parse(answer({"--json"}));
  EXPECT_TRUE(json.contains("provenance"));
  EXPECT_EQ(members(json, "provenance"), 1);
}

TEST_P(ResultContract, ColumnsOfCsvHaveNamesOfTheirOwn) {
  const CsvTable table = CsvTable::parse(answer({"--format", "csv"}), "answer.csv");
  const std::set<std::string> distinct(table.header().begin(), table.header().end());
  EXPECT_EQ(distinct.size(), table.header().size());
  EXPECT_FALSE(distinct.contains(""));
}

INSTANTIATE_TEST_SUITE_P(Commands, ResultContract, testing::ValuesIn(kCommandsWithResults));

}  // namespace
}  // namespace sextant::cli::test
