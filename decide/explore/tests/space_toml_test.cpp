#include "sextant/explore/space_toml.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;

MachineLookup two_machines() {
  const std::vector<KnownMachine> all = {
      {.id = "aws/small", .numbers = {{"vcpus", 2}, {"memory_gib", 4}}, .texts = {{"cloud", "aws"}}},
      {.id = "gcp/large",
       .numbers = {{"vcpus", 16}, {"memory_gib", 64}, {"usd_per_h", 0.8}},
       .texts = {{"cloud", "gcp"}}}};
  return {.find =
              [all](const std::string& name, const SourcePos& at) {
                for (const KnownMachine& machine : all) {
                  if (machine.id == name) return machine;
                }
                throw InputError(at, "unknown machine '" + name + "'");
              },
          .all = [all] { return all; }};
}

SearchSpace read(const std::string& text, const MachineLookup& machines = two_machines()) {
  TomlSection root = parse_toml(text, "s.toml");
  SearchSpace space = read_space(root, machines);
  root.finish();
  return space;
}
std::string fault(const std::string& text) {
  return error_of([&] { (void)read(text); });
}

TEST(SpaceToml, KindsAreSeenFromLevelsAndRanges) {
  const SearchSpace space = read(R"(
constraints = ["workers * batch <= 512"]
[[factor]]
name = "workers"
low = 2
high = 16
step = 2
[[factor]]
name = "batch"
levels = [8, 32, 128.5]
[[factor]]
name = "strategy"
levels = ["ring", "ps-sync"]
[[factor]]
name = "rate"
low = 0.001
high = 1
log = true
when = "strategy == 'ps-sync'"
)");
  ASSERT_EQ(space.factors().size(), 4U);
  EXPECT_EQ(space.factors()[0].kind, FactorKind::integer);
  EXPECT_EQ(space.factors()[0].step, 2);
  EXPECT_EQ(space.factors()[1].kind, FactorKind::ordinal);
  EXPECT_EQ(space.factors()[1].levels, (std::vector<std::string>{"8", "32", "128.5"}));
  EXPECT_EQ(space.factors()[2].kind, FactorKind::categorical);
  EXPECT_EQ(space.factors()[3].kind, FactorKind::real);
  EXPECT_TRUE(space.factors()[3].log);
  EXPECT_EQ(space.factors()[3].condition->text(), "strategy == 'ps-sync'");
  EXPECT_FALSE(space.valid({{16, 2, 0, kAbsent}}));
  EXPECT_TRUE(space.valid({{16, 1, 1, 0.5}}));
}

TEST(SpaceToml, FeaturesOfLevels) {
  const SearchSpace space = read(R"(
[[factor]]
name = "vm"
levels = ["c", "r"]
[factor.features]
vcpus = [2, 4]
memory = [4.5, 32]
)");
  EXPECT_EQ(space.factors()[0].features.names, (std::vector<std::string>{"vcpus", "memory"}));
  EXPECT_EQ(space.features({{1}}), (std::vector<double>{4, 32}));
}

TEST(SpaceToml, MachinesStandForTheirFeatures) {
  const auto with = [](const std::string& rest) {
    return read("[[factor]]\nname = \"vm\"\nkind = \"machine\"\n" + rest);
  };
  // Only what is known of both is a feature of both.
  const SearchSpace all = with("levels = \"all\"");
  EXPECT_EQ(all.factors()[0].levels, (std::vector<std::string>{"aws/small", "gcp/large"}));
  EXPECT_EQ(all.factors()[0].features.names, (std::vector<std::string>{"memory_gib", "vcpus"}));
  EXPECT_EQ(with("levels = \"vcpus > 2 and cloud == 'gcp'\"").factors()[0].levels,
            std::vector<std::string>{"gcp/large"});
  const SearchSpace chosen = with("levels = [\"gcp/large\", \"aws/small\"]\nfeatures = [\"vcpus\"]");
  EXPECT_EQ(chosen.features({{0}}), std::vector<double>{16});
  const auto machine_fault = [&](const std::string& rest) { return error_of([&] { (void)with(rest); }); };
  EXPECT_NE(machine_fault("levels = [\"aws/smal\"]").find("s.toml:4:10: error: unknown machine 'aws/smal'"),
            std::string::npos);
  EXPECT_NE(machine_fault("levels = \"vcpu > 2\"").find("did you mean 'vcpus'?"), std::string::npos);
  EXPECT_NE(machine_fault("levels = \"vcpus > 99\"").find("no machine type meets"), std::string::npos);
  EXPECT_NE(machine_fault("levels = \"all\"\nfeatures = [\"usd_per_h\"]")
                .find("not known of machine type 'aws/small'"),
            std::string::npos);
  EXPECT_NE(machine_fault("").find("names no machine types"), std::string::npos);
  EXPECT_NE(error_of([] {
              (void)read("[[factor]]\nname = \"a\"\nkind = \"machine\"\nlevels = \"all\"", {});
            }).find("machine types are not known here"),
            std::string::npos);
}

TEST(SpaceToml, MistakesHaveAPlaceAndAHint) {
  EXPECT_EQ(fault("[[factor]]\nname = \"a\"\nlow = 1\nhgih = 2\n"),
            "s.toml:1:1: error: key 'high' is missing here\n  hint: is 'hgih' on line 4 meant to be it?");
  EXPECT_NE(fault("").find("add a table [[factor]] for each"), std::string::npos);
  EXPECT_NE(fault("[[factor]]\nlow = 1\n").find("'name' is missing"), std::string::npos);
  EXPECT_NE(
      fault("[[factor]]\nname = \"a-b\"\nlow = 1\nhigh = 2").find("s.toml:2:8: error: 'a-b' is no name"),
      std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\n").find("neither levels nor a range"), std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nlow = 1\nhigh = 2\nlevels = [1]").find("levels and a range"),
            std::string::npos);
  EXPECT_NE(
      fault("[[factor]]\nname = \"a\"\nkind = \"reel\"\nlow = 1\nhigh = 2").find("did you mean 'real'?"),
      std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nkind = \"real\"\nlevels = [1]").find("kind = \"ordinal\""),
            std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nkind = \"ordinal\"\nlow = 1\nhigh = 2").find("give 'levels'"),
            std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nlow = 0.5\nhigh = 2\nstep = 1").find("real and has a step"),
            std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nlevels = [true]").find("numbers or of texts"),
            std::string::npos);
  EXPECT_NE(
      fault("[[factor]]\nname = \"a\"\nlevels = [1, 2]\nfeatures = {x = [1]}").find("1 values for 2 levels"),
      std::string::npos);
  EXPECT_NE(fault("[[factor]]\nname = \"a\"\nlow = 1\nhigh = 2\nwhen = \"b >\"").find("s.toml:5:8"),
            std::string::npos);
  EXPECT_NE(fault("constraint = [\"a > 1\"]\n[[factor]]\nname = \"a\"\nlow = 1\nhigh = 2").find("constraint"),
            std::string::npos);
  EXPECT_NE(fault("constraints = [\"a > 2\"]\n[[factor]]\nname = \"a\"\nlow = 1\nhigh = 2")
                .find("s.toml:1:15: error: no configuration meets"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::explore
