// Systems from files, machines and links: facts arrive, and bad files are refused where they are bad.
#include "sextant/collectives/system.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::collectives {
namespace {

constexpr const char* kFile = R"(schema = 1
[[system]]
id = "mine"
gpu = "a100-sxm4-80gb"
gpus = 4
link = "nvlink-3"
network = "ethernet-100g"
cards = 2
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Systems, BuiltInNamesFold) {
  const Systems systems = load_systems(catalog::builtin_catalog());
  for (const char* name : {"a100_dgx", "A100-DGX", "h100_dgx", "a100_pairwise_nvlink", "a40_pairwise_nvlink",
                           "h100_pairwise_nvlink"}) {
    EXPECT_NE(systems.find(name), nullptr) << name;
  }
  const System& pairs = systems.get("h100_pairwise_nvlink");
  EXPECT_EQ(pairs.inside.bandwidth, Bandwidth{300e9});
  EXPECT_EQ(pairs.pairs->wire, Wire::pcie);
  EXPECT_EQ(pairs.architecture, "Hopper");
}

TEST(Systems, ReadsAFile) {
  const auto systems = read_systems(kFile, "s.toml", catalog::builtin_catalog());
  ASSERT_EQ(systems.size(), 1U);
  EXPECT_EQ(systems[0].gpus, 4);
  EXPECT_EQ(systems[0].cards, 2);
  EXPECT_EQ(systems[0].network->bandwidth, Bandwidth{12.5e9});
}

TEST(Systems, RefusesBadFiles) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const auto error = [&](const std::string& text) {
    return sextant::test::error_of([&] { (void)read_systems(text, "s.toml", catalog); });
  };
  EXPECT_EQ(error(with(kFile, "gpus = 4", "gpus = 0")),
            "s.toml:5:8: error: 'gpus' is not from 1 to a million");
  EXPECT_EQ(error(with(kFile, "\"ethernet-100g\"", "\"nvlink-3\"")),
            "s.toml:7:11: error: 'nvlink-3' does not join machines");
  EXPECT_NE(error(with(kFile, "nvlink-3", "nvlink-33")).find("did you mean 'nvlink-3'"), std::string::npos);
  EXPECT_NE(error(with(kFile, "cards", "card")).find("s.toml:8"), std::string::npos);
  EXPECT_NE(error(with(kFile, "schema = 1", "schema = 2")).find("schema"), std::string::npos);
  EXPECT_NE(error("").find("schema"), std::string::npos);
  EXPECT_NE(error(std::string(kFile) + std::string(kFile).substr(11)).find("mine"), std::string::npos);
}

TEST(Systems, MachinesAreSystems) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const System p4d = system_of(catalog, catalog.machines.get("aws/p4d.24xlarge"));
  EXPECT_EQ(p4d.gpus, 8);
  EXPECT_EQ(p4d.inside.wire, Wire::direct);
  EXPECT_EQ(p4d.network->bandwidth, Bandwidth{50e9});
  const System single = system_of(catalog, catalog.machines.get("aws/p3.2xlarge"));
  EXPECT_EQ(single.gpus, 1);
  const Systems systems = load_systems(catalog);
  EXPECT_EQ(find_system(systems, catalog, "aws/p4d.24xlarge", {}).id, "aws/p4d.24xlarge");
  EXPECT_NE(sextant::test::error_of([&] {
              (void)find_system(systems, catalog, "a100_dgxx", at_field("system"));
            }).find("did you mean 'a100-dgx'"),
            std::string::npos);
}

TEST(Systems, TwoGpusShareACard) {
  const System dgx = load_systems(catalog::builtin_catalog()).get("a100-dgx");
  EXPECT_EQ(cards_in_use(dgx, 1), 1);
  EXPECT_EQ(cards_in_use(dgx, 2), 1);
  EXPECT_EQ(cards_in_use(dgx, 4), 4);
  EXPECT_EQ(cards_in_use(dgx, 8), 4);
}

}  // namespace
}  // namespace sextant::collectives
