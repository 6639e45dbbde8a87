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

TEST(WithColumns, RefusesANameThatNoSectionHas) {
  EXPECT_EQ(sextant::test::error_of([] {
              with_columns(two_sections(), {"policy", "sed"});
            }),
            "`columns`: error: this result has no column 'sed'\n  hint: did you mean 'seed'?");
}

}  // namespace
}  // namespace sextant::report
