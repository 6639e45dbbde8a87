// sextant explore --table: fields of its JSON, its table, and errors.
#include <nlohmann/json.hpp>

#include "cli_fixture.h"

namespace sextant::cli {
namespace {

using test::sextant_run;

class ExploreTable : public test::CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::ofstream("runs.csv") << "case,vm,count,memory,ok,cost,cost_penalised\n"
                                 "a,s,1,4,1,10,10\na,s,2,4,0,,40\na,l,1,16,1,20,20\na,l,2,16,1,25,25\n"
                                 "b,s,1,4,1,8,8\nb,s,2,4,1,4,4\nb,l,1,16,1,6,6\nb,l,2,16,1,9,9\n";
  }
  static std::vector<std::string> arguments(const std::vector<std::string>& more) {
    std::vector<std::string> all = {"explore",  "--table",    "runs.csv",   "--group",      "case",
                                    "--config", "vm,count",   "--features", "memory,count", "--objective",
                                    "cost",     "--censored", "ok=0",       "--trials",     "4",
                                    "--seeds",  "3"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(ExploreTable, JsonHasEveryGroupAndEveryStrategy) {
  const auto outcome =
      sextant_run(arguments({"--strategy", "sextant,cherrypick,random", "--json", "--no-provenance"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json all = Json::parse(outcome.out);
  EXPECT_EQ(all["schema"], "sextant.table-search/1");
  EXPECT_EQ(all["strategies"].size(), 3U);
  const Json& list = all["searches"];
  ASSERT_EQ(list.size(), 6U);
  EXPECT_EQ(list[0]["group"], "a");
  EXPECT_EQ(list[0]["strategy"], "sextant");
  EXPECT_EQ(list[0]["seeds"], 3);
  EXPECT_EQ(list[0]["optimum"], 10);
  for (const Json& each : list) {
    EXPECT_EQ(each["best_over_optimum_mean"].size(), 4U);
    EXPECT_EQ(each["best_over_optimum_p90"].size(), 4U);
    EXPECT_EQ(each["best_over_optimum_mean"][3], 1);  // all four were tried
  }
  EXPECT_NEAR(list[0]["search_cost_over_optimum_mean"].get<double>(), 9.5, 1e-12);  // (10+40+20+25)/10
}

TEST_F(ExploreTable, SameBytesWhateverTheThreads) {
  const auto one = sextant_run(arguments({"--transfer-apart", "case", "--threads", "1"}));
  const auto three = sextant_run(arguments({"--transfer-apart", "case", "--threads", "3"}));
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
  EXPECT_NE(one.out.find("random"), std::string::npos);  // compared without being asked
}

TEST_F(ExploreTable, MissingOptionAndColumn) {
  const auto option = sextant_run({"explore", "--table", "runs.csv"});
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("--group"), std::string::npos) << option.err;
  const auto column = sextant_run(arguments({"--penalised", "cost_penalized"}));
  EXPECT_EQ(column.code, 2);
  EXPECT_NE(column.err.find("did you mean 'cost_penalised'"), std::string::npos) << column.err;
}

TEST_F(ExploreTable, ItsOptionsAreRefusedWithoutIt) {
  const auto column = sextant_run({"explore", "study.toml", "--transfer-apart", "case"});
  EXPECT_EQ(column.code, 2);
  EXPECT_NE(column.err.find("--transfer-apart counts only with --table"), std::string::npos) << column.err;
  const auto prior = sextant_run({"explore", "study.toml", "--prior", "resnet50"});
  EXPECT_EQ(prior.code, 2);
  EXPECT_NE(prior.err.find("prior = \"NET"), std::string::npos) << prior.err;
}

}  // namespace
}  // namespace sextant::cli
