#include "sextant/report/result.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::report {
namespace {

Result two_sections() {
  Table runs;
  runs.columns = {{"policy", "policy"}, {"mean_jct_s", "mean JCT"}, {"seed", "", Importance::detail}};
  runs.rows = {{"fifo", Seconds{5}, std::int64_t{1}}};
  runs.notes = {"a note"};
  Table pairs;
  pairs.columns = {{"other", "other"}};
  return {.schema = "sextant.test/1",
          .sections = {{.key = "runs", .table = runs}, {.key = "pairs", .table = pairs}}};
}

TEST(WithColumns, TakesThemByKeyOrTitleInTheOrderGiven) {
  const Result chosen = with_columns(two_sections(), {"Mean-JCT", "seed"});
  ASSERT_EQ(chosen.sections.size(), 1U) << "sections without any of them go";
  const Table& table = chosen.sections[0].table;
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].key, "mean_jct_s");
  EXPECT_EQ(table.columns[1].importance, Importance::essential) << "who names it wants to see it";
  EXPECT_EQ(table.rows[0][0].shown, "5.00 s");
}

TEST(WithColumns, ShowsAHiddenTableThatAloneHasThem) {
  Result result = two_sections();
  result.sections[0].shown = false;
  const Result chosen = with_columns(result, {"seed"});
  EXPECT_TRUE(chosen.sections.at(0).shown);
  EXPECT_EQ(chosen.sections.at(0).table.columns.at(0).title, "seed") << "people need a title";
}

TEST(WithColumns, SentencesStayWhereTheyWere) {
  Result result = two_sections();
  result.sections[0].shown = false;
  Section sentence;
  sentence.table.notes = {"fifo is best"};
  result.sections.insert(result.sections.begin() + 1, sentence);
  const Result chosen = with_columns(result, {"other"});
  ASSERT_EQ(chosen.sections.size(), 2U);
  EXPECT_EQ(chosen.sections[0].table.notes.at(0), "fifo is best");
  EXPECT_EQ(chosen.sections[1].key, "pairs");
  const Result hidden = with_columns(result, {"seed"});
  EXPECT_TRUE(hidden.sections.at(0).shown) << "a sentence is no table that is shown instead";
}

TEST(WithColumns, AreThoseOfTheFactsWhereNoTableHasThem) {
  Result result = two_sections();
  result.facts.columns = {{"memory_bytes", "memory"}, {"policy", "policy"}};
  result.facts.rows = {{Bytes{1024}, "all"}};
  const Result chosen = with_columns(result, {"memory"});
  EXPECT_TRUE(chosen.sections.empty());
  EXPECT_EQ(chosen.facts.rows.at(0).at(0).shown, "1.00 KiB");
  EXPECT_TRUE(with_columns(result, {"policy"}).facts.rows.empty()) << "the table has it";
}

TEST(WithColumns, RefusesANameThatNoSectionHas) {
  EXPECT_EQ(sextant::test::error_of([] {
              with_columns(two_sections(), {"policy", "sed"});
            }),
            "`columns`: error: this result has no column 'sed'\n  hint: did you mean 'seed'?");
}

}  // namespace
}  // namespace sextant::report
