#include "sextant/ask/collectives.h"

#include <gmock/gmock.h>

#include "sextant/core/csv.h"

namespace sextant::ask {
namespace {

using ::testing::HasSubstr;

TEST(AskCollectives, ListsAreCrossedAndWhatIsImpossibleIsTold) {
  CollectiveTimesQuestion question{.systems = {"a100-dgx"}, .gpus = {2, 3000}, .bytes = {"1MiB", "64MiB"}};
  const CollectiveTimes times = collective_times(question, catalog::builtin_catalog());
  ASSERT_EQ(times.rows.size(), 2U);
  EXPECT_EQ(times.rows[0].estimate.algorithm, collectives::Algorithm::ring);
  EXPECT_LT(times.rows[0].estimate.time, times.rows[1].estimate.time);
  EXPECT_EQ(times.warnings.size(), 1U);  // once, for both sizes

  question.gpus = {3000};
  EXPECT_THROW((void)collective_times(question, catalog::builtin_catalog()), InputError);
}

TEST(AskCollectives, AlgorithmsOfPlainLinks) {
  const CollectiveTimes times =
      collective_times({.link = "nvlink-4", .gpus = {4}, .bytes = {"64MiB"}, .algorithms = {"ring", "tree"}},
                       catalog::builtin_catalog());
  EXPECT_TRUE(times.rows.empty());
  ASSERT_EQ(times.algorithms.size(), 2U);
  EXPECT_EQ(times.algorithms[1].cost.algorithm, collectives::Algorithm::tree);
}

TEST(AskCollectives, CasesNameTheirOwnSystems) {
  const CsvTable cases = CsvTable::parse(
      "system,collective,num_gpus,num_nodes,bytes\na100-dgx,all-reduce,8,1,1048576\nnone,all-reduce,8,1,1\n",
      "cases.csv");
  const auto answers = collective_cases({}, cases, catalog::builtin_catalog());
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].error, "");
  EXPECT_THAT(answers[1].error, HasSubstr("none"));
  EXPECT_THROW((void)collective_cases({.systems = {"a100-dgx"}}, cases, catalog::builtin_catalog()),
               InputError);
}

}  // namespace
}  // namespace sextant::ask
