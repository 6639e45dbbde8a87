// Strategies on recorded tables: scores by hand, errors that point, the same bytes whatever the threads, and
// the figures of the page on measured rows.
#include "sextant/study/table_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "shared_data.h"

namespace sextant::study {
namespace {

using testing::HasSubstr;

const std::string kTable =
    "case,kind,vm,count,memory,ok,cost,cost_penalised\n"
    "a,x,s,1,4,1,10,10\n"
    "a,x,s,2,4,0,,40\n"
    "a,x,l,1,16,1,20,20\n"
    "b,y,s,1,4,1,8,8\n"
    "b,y,s,2,4,1,4,4\n"
    "b,y,l,1,16,1,6,6\n";

TableSearchRequest request() {
  TableSearchRequest request;
  request.group = "case";
  request.config = {"vm", "count"};
  request.features = {"memory", "count"};
  request.objective = "cost";
  request.censored = "ok=0";
  request.strategies = {"random"};
  request.trials = 3;
  request.seeds = 200;
  return request;
}

TableSearchReport searched(const std::string& text, const TableSearchRequest& request) {
  NoProgress progress;
  return search_table(CsvTable::parse(text, "runs.csv"), request, progress);
}

std::string error_in(const std::string& text, const TableSearchRequest& request) {
  return sextant::test::error_of([&] { (void)searched(text, request); });
}

TEST(TableSearch, ScoresOfRandomSearchByHand) {
  const TableSearchReport report = searched(kTable, request());
  ASSERT_EQ(report.results.size(), 2U);
  const TableSearchResult& a = report.results[0];
  EXPECT_EQ(a.group, "a");
  EXPECT_EQ(a.optimum, 10);
  // First trial: 10, 20, or the failed one by its penalty of 40: mean of 1, 2, 4 over the optimum.
  EXPECT_NEAR(a.best_over_optimum_mean[0], 7.0 / 3, 0.25);
  // Two of three: {10, 20}, {10, failed}: 1; {20, failed}: 2, since one has completed.
  EXPECT_NEAR(a.best_over_optimum_mean[1], 4.0 / 3, 0.12);
  EXPECT_EQ(a.best_over_optimum_mean[2], 1);
  EXPECT_EQ(a.best_over_optimum_p90[0], 4);
  EXPECT_NEAR(a.search_cost_over_optimum_mean, 7, 1e-12);  // (10 + 20 + 40) / 10, in whatever order
  EXPECT_EQ(a.stopped_after_mean, 3);                      // random search never stops
  EXPECT_NEAR(report.results[1].search_cost_over_optimum_mean, 4.5, 1e-12);
}

TEST(TableSearch, SameWhateverTheThreads) {
  TableSearchRequest one = request();
  one.seeds = 7;
  one.strategies = {"sextant:starts=1", "cherrypick:starts=1", "random"};
  TableSearchRequest four = one;
  four.threads = 4;
  const TableSearchReport a = searched(kTable, one);
  const TableSearchReport b = searched(kTable, four);
  ASSERT_EQ(a.results.size(), b.results.size());
  for (std::size_t i = 0; i < a.results.size(); ++i) {
    EXPECT_EQ(a.results[i].best_over_optimum_mean, b.results[i].best_over_optimum_mean);
    EXPECT_EQ(a.results[i].search_cost_over_optimum_mean, b.results[i].search_cost_over_optimum_mean);
  }
}

TEST(TableSearch, RepeatedRunsCountByTheirMean) {
  TableSearchRequest wanted = request();
  wanted.trials = 1;
  const TableSearchReport report =
      searched("case,vm,count,memory,ok,cost\na,s,1,4,1,10\na,s,1,4,1,14\na,s,1,4,0,\n", wanted);
  EXPECT_EQ(report.results[0].optimum, 12);
}

TEST(TableSearch, GroupWithoutACompletedRunIsNamed) {
  const TableSearchReport report = searched(kTable + "c,y,s,1,4,0,,5\n", request());
  EXPECT_EQ(report.skipped, std::vector<std::string>{"c"});
  EXPECT_EQ(report.results.size(), 2U);
}

TEST(TableSearch, DearestRunIsThePenaltyWithoutAColumn) {
  TableSearchRequest wanted = request();
  const TableSearchReport report =
      searched("case,vm,count,memory,ok,cost\na,s,1,4,1,10\na,s,2,4,0,\na,l,1,16,1,30\n", wanted);
  EXPECT_NEAR(report.results[0].search_cost_over_optimum_mean, 7, 1e-12);  // (10 + 30 + 30) / 10
}

TEST(TableSearch, APriorColumnIsBelieved) {
  TableSearchRequest wanted = request();
  wanted.strategies = {"sextant"};
  wanted.trials = 1;
  wanted.prior = "guess";
  const std::string table =
      "case,vm,count,memory,ok,cost,guess\na,s,1,4,1,10,5\na,s,2,4,1,12,4\na,l,1,16,1,30,\n";
  EXPECT_NEAR(searched(table, wanted).results[0].best_over_optimum_mean[0], 1.2, 1e-12);  // the least guess
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost,guess\na,s,1,4,1,10,0\n", wanted),
              HasSubstr("runs.csv:2:14: error: the prediction is not positive"));
  wanted.prior = "gues";
  EXPECT_THAT(error_in(table, wanted), HasSubstr("did you mean 'guess'"));
}

TEST(TableSearch, ErrorsPoint) {
  TableSearchRequest wanted = request();
  wanted.objective = "costs";
  EXPECT_THAT(error_in(kTable, wanted), HasSubstr("did you mean 'cost'"));
  wanted = request();
  wanted.censored = "ok";
  EXPECT_THAT(error_in(kTable, wanted), HasSubstr("completed=0"));
  wanted = request();
  wanted.strategies = {"randon"};
  EXPECT_THAT(error_in(kTable, wanted), HasSubstr("did you mean 'random'"));
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost\na,s,1,4,1,-3\n", request()),
              HasSubstr("runs.csv:2:11: error: the objective is not positive"));
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost\na,s,1,4,1,nan\n", request()),
              HasSubstr("runs.csv:2:11"));
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost\na,s,1,4,1,3\na,s,1,5,1,3\n", request()),
              HasSubstr("features differ"));
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost\na,s,1,,1,3\n", request()), HasSubstr("is empty"));
  EXPECT_THAT(error_in("case,vm,count,memory,ok,cost\n", request()), HasSubstr("no rows"));
}

// The page's figures with fewer seeds; the bounds are those that the page promises.
class TableSearchAccuracy : public testing::Test {
 protected:
  static std::vector<double> means(const std::string& path, const std::string& strategy,
                                   const std::string& transfer_apart) {
    TableSearchRequest wanted;
    wanted.group = "case";
    wanted.config = {"vm_type", "vm_count"};
    wanted.features = {"vcpus", "memory_gib", "family", "vm_count"};
    wanted.objective = "cost_usd";
    wanted.censored = "completed=0";
    wanted.transfer_apart = transfer_apart;
    wanted.strategies = {strategy};
    wanted.seeds = 8;
    wanted.threads = 2;
    NoProgress progress;
    const TableSearchReport report = search_table(CsvTable::read_file(path), wanted, progress);
    std::vector<double> sums(3);
    for (const TableSearchResult& result : report.results) {
      for (std::size_t i = 0; i < 3; ++i) {
        sums[i] += result.best_over_optimum_mean[std::vector<std::size_t>{5, 9, 14}[i]] /
                   static_cast<double>(report.results.size());
      }
    }
    return sums;
  }
};

TEST_F(TableSearchAccuracy, SextantWithoutAndWithEarlierStudies) {
  SEXTANT_NEEDS_DATA(path, "cloud-config/scout_multi_node.csv");
  const std::vector<double> alone = means(path, "sextant", "");
  EXPECT_LE(alone[0], 1.09);
  EXPECT_LE(alone[1], 1.04);
  EXPECT_LE(alone[2], 1.02);
  const std::vector<double> told = means(path, "sextant", "workload");
  EXPECT_LE(told[0], 1.075);
  EXPECT_LE(told[1], 1.03);
  EXPECT_LE(told[2], 1.016);
}

// An independent process on log cost (scikit-learn, 20 seeds) came to 1.198, 1.078, 1.035; the standard error
// of eight seeds is 0.02 after 6 trials and 0.01 later.
TEST_F(TableSearchAccuracy, CherryPickAsAnIndependentProgram) {
  SEXTANT_NEEDS_DATA(path, "cloud-config/scout_multi_node.csv");
  const std::vector<double> found = means(path, "cherrypick", "");
  EXPECT_NEAR(found[0], 1.198, 0.06);
  EXPECT_NEAR(found[1], 1.078, 0.03);
  EXPECT_NEAR(found[2], 1.035, 0.03);
}

}  // namespace
}  // namespace sextant::study
