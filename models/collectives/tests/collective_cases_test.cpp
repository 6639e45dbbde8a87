// Files of cases: every row gets an answer or a reason.
#include "sextant/collectives/collective_cases.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::collectives {
namespace {

struct CollectiveCases : testing::Test {
  catalog::Catalog catalog = catalog::builtin_catalog();
  Systems systems = load_systems(catalog);

  [[nodiscard]] std::vector<CollectiveAnswer> answers(const std::string& rows) const {
    const auto table = CsvTable::parse("system,collective,num_gpus,num_nodes,bytes\n" + rows, "c.csv");
    return answer_collectives(table, {catalog, systems, builtin_calibration()});
  }
};

TEST_F(CollectiveCases, RowsOfAllKinds) {
  const auto all = answers(
      "a100_dgx,all_reduce,8,1,1048576\nA100-DGX,all-reduce,8,1,1048576\naws/"
      "p4d.24xlarge,all_to_all,16,2,1e6\n"
      "a100_dgx,send_recv,2,2,0\na100_dgx,broadcast,1,1,5\n");
  for (const auto& answer : all) EXPECT_EQ(answer.error, "");
  EXPECT_EQ(all[0].estimate.time, all[1].estimate.time);
  EXPECT_GT(all[2].estimate.time, Seconds{});
  EXPECT_EQ(all[4].estimate.time, Seconds{});
}

TEST_F(CollectiveCases, ReasonsNameTheColumn) {
  const auto all = answers(
      "a100_dgy,all_reduce,8,1,1\na100_dgx,all_reduction,8,1,1\na100_dgx,all_reduce,32,1,1\n"
      "a100_dgx,all_reduce,eight,1,1\na100_dgx,all_reduce,8,1,-5\n,all_reduce,8,1,1\n");
  EXPECT_EQ(all[0].error, "system: unknown system 'a100_dgy' (did you mean 'a100-dgx'?)");
  EXPECT_NE(all[1].error.find("unknown collective 'all_reduction'"), std::string::npos);
  EXPECT_EQ(all[2].error, "num_gpus: a100-dgx has 8 GPUs a node, not 32");
  for (const auto& answer : all) EXPECT_NE(answer.error, "");
}

TEST_F(CollectiveCases, MissingColumn) {
  const auto table = CsvTable::parse("system,bytes\nx,1\n", "c.csv");
  EXPECT_THROW((void)answer_collectives(table, {catalog, systems, builtin_calibration()}), InputError);
}

}  // namespace
}  // namespace sextant::collectives
