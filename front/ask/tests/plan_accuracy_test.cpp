#include "plan_accuracy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sextant/catalog/catalog.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

// One node at 3.6 USD an hour and one job of 100 s: every method pays 0.1 USD. Theirs: 0.1, 0.2 and, of a
// run that crashed, nothing.
TEST(PlanAccuracy, ComparesEachMethodWithTheReference) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  };
  write("jobs.csv.gz", "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\none,1,a,K,0,100,0.01\n");
  write("execution_times.csv", "kind,gpu,gpus,seconds\nK,X,1,100\n");
  write("vm_types.csv", "vm,gpu,gpus,usd_per_hour\nx,X,1,3.6\n");
  write("reference_costs.csv",
        "instance,method,seed,total_usd\none,FIFO,0,0.1\none,EDF,0,0.2\none,Greedy,0,\nother,FIFO,0,1\n");
  NoProgress quiet;
  const auto line = plan_accuracy(folder.path().string(), catalog::builtin_catalog(), quiet);
  ASSERT_EQ(line.cases.size(), 2U);
  EXPECT_EQ(line.cases[0].group, "fifo");
  EXPECT_NEAR(line.cases[0].error, 0, 1e-9);
  EXPECT_EQ(line.cases[1].group, "edf");
  EXPECT_NEAR(line.cases[1].error, 0.5, 1e-9);
  EXPECT_FALSE(line.intervals);
}

}  // namespace
}  // namespace sextant::ask
