#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli_fixture.h"
#include "sextant/core/csv.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSpace = R"(
constraints = ["workers * batch <= 1024"]
[[factor]]
name = "workers"
low = 1
high = 8
[[factor]]
name = "batch"
levels = [32, 64, 128]
[[factor]]
name = "transport"
levels = ["gloo", "mpi"]
[[factor]]
name = "rate"
low = 0.01
high = 0.1
)";

class ExploreDesign : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("space.toml", kSpace);
  }
  static Outcome design(std::vector<std::string> rest) {
    rest.insert(rest.begin(), {"explore", "design", "space.toml"});
    return sextant_run(rest);
  }
};

TEST_F(ExploreDesign, RunSheetIsCsv) {
  const Outcome outcome =
      design({"--design", "fractional:runs=8", "--replicates", "2", "--blocks", "2", "--format", "csv"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const CsvTable sheet = CsvTable::parse(outcome.out, "sheet.csv");
  EXPECT_EQ(sheet.header(),
            (std::vector<std::string>{"run", "block", "replicate", "workers", "batch", "transport", "rate"}));
  ASSERT_EQ(sheet.rows(), 16U);
  std::set<std::string> distinct;
  for (std::size_t row = 0; row < sheet.rows(); ++row) {
    EXPECT_EQ(sheet.number(row, 0), static_cast<double>(row + 1));
    EXPECT_EQ(sheet.number(row, 1), row < 8 ? 1 : 2);
    distinct.insert(sheet.text(row, 3) + " " + sheet.text(row, 4) + " " + sheet.text(row, 5) + " " +
                    sheet.text(row, 6));
  }
  EXPECT_EQ(distinct.size(), 8U);
  EXPECT_THAT(outcome.err,
              HasSubstr("sextant: note: factors and their levels: A = workers (1, 8), B = batch (32, 128)"));
  EXPECT_EQ(
      design({"--design", "fractional:runs=8", "--replicates", "2", "--blocks", "2", "--format", "csv"}).out,
      outcome.out);
  EXPECT_NE(design({"--design", "fractional:runs=8", "--replicates", "2", "--blocks", "2", "--format", "csv",
                    "--seed", "1"})
                .out,
            outcome.out);
}

TEST_F(ExploreDesign, AliasesAndJson) {
  const Outcome aliases = design({"--design", "fractional:generators=D=ABC", "--aliases"});
  ASSERT_EQ(aliases.code, kDone) << aliases.err;
  EXPECT_THAT(aliases.out, HasSubstr("I = ABCD"));
  EXPECT_THAT(aliases.out, HasSubstr("resolution 4"));
  const Outcome parts = design({"--design", "plackett-burman:runs=12", "--aliases", "--format", "csv"});
  ASSERT_EQ(parts.code, kDone) << parts.err;
  EXPECT_THAT(parts.out, HasSubstr("effect,part,aliases\nA,0.3333333333333333,CD\n"));
  const Outcome shown = design({"--design", "plackett-burman:runs=12", "--aliases"});
  EXPECT_THAT(shown.out, HasSubstr("-1/3"));
  const Outcome json = design({"--design", "latin-hypercube", "--runs", "6", "--json"});
  ASSERT_EQ(json.code, kDone) << json.err;
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed.at("schema"), "sextant.design/1");
  EXPECT_EQ(parsed.at("runs").size(), 6U);
  EXPECT_TRUE(parsed.at("runs").at(0).at("configuration").at("rate").is_number());
  EXPECT_TRUE(parsed.at("runs").at(0).at("configuration").at("transport").is_string());
}

TEST_F(ExploreDesign, MachinesComeFromTheCatalogue) {
  write(
      "space.toml",
      "constraints = [\"vm.gpus * count <= 8\"]\n[[factor]]\nname = \"vm\"\nkind = \"machine\"\n"
      "levels = [\"aws/p3.2xlarge\", \"aws/p3.8xlarge\"]\n[[factor]]\nname = \"count\"\nlow = 1\nhigh = 4\n");
  const Outcome outcome = design({"--design", "full-factorial", "--format", "csv"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_EQ(CsvTable::parse(outcome.out, "sheet.csv").rows(),
            4U + 2U);  // one GPU: 1 to 4 of them; four: 1 or 2
  EXPECT_THAT(outcome.err,
              HasSubstr("2 of 8 runs break constraints and are left out: vm=aws/p3.8xlarge count=3"));
  write("space.toml",
        "[[factor]]\nname = \"vm\"\nkind = \"machine\"\nlevels = \"gpus >= 1 and usd_per_h < 1\"\n");
  const Outcome filter = design({"--design", "full-factorial", "--format", "csv"});
  ASSERT_EQ(filter.code, kDone) << filter.err;
  EXPECT_GE(CsvTable::parse(filter.out, "sheet.csv").rows(), 2U);
}

TEST_F(ExploreDesign, MistakesAreBadInput) {
  const Outcome unknown = design({"--design", "fraktional"});
  EXPECT_EQ(unknown.code, kBadInput);
  EXPECT_THAT(unknown.err, HasSubstr("--design: error: unknown design 'fraktional'"));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'fractional'?"));
  write("space.toml", "[[factor]]\nname = \"a\"\nlow = 1\nhigh = 4\nbudget = 3\n");
  const Outcome key = design({});
  EXPECT_EQ(key.code, kBadInput);
  EXPECT_THAT(key.err, HasSubstr("space.toml:5"));
  write("space.toml", "");
  EXPECT_THAT(design({}).err, HasSubstr("there is no factor to choose"));
  EXPECT_EQ(sextant_run({"explore", "design", "none.toml"}).code, kBadInput);
}

TEST_F(ExploreDesign, DesignsAndStrategiesAreKinds) {
  EXPECT_THAT(sextant_run({"list", "designs"}).out, HasSubstr("plackett-burman"));
  EXPECT_THAT(sextant_run({"describe", "design", "fractional"}).out,
              HasSubstr("generators: of the last factors"));
  EXPECT_THAT(sextant_run({"list", "search-strategies"}).out, HasSubstr("quasi-random"));
  EXPECT_THAT(sextant_run({"describe", "search-strategy", "random"}).out, HasSubstr("Bergstra"));
}

}  // namespace
}  // namespace sextant::cli::test
