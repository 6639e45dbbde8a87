#include "sextant/clusters/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "error_of.h"

namespace sextant::clusters {
namespace {

using sextant::test::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const catalog::Catalog& catalog() {
  static const catalog::Catalog loaded = catalog::builtin_catalog();
  return loaded;
}

std::string line_error(const std::string& text) {
  return error_of([&] { (void)parse_cluster(text, catalog(), at_field("cluster")); });
}

std::string toml_error(const std::string& text) {
  return error_of([&] { (void)parse_cluster_toml(text, "c.toml", catalog()); });
}

Pool toml_pool(const std::string& rest) {
  return parse_cluster_toml("[[pool]]\ntype = \"own\"\ngpus = 10\n" + rest, "c.toml", catalog()).pools.at(0);
}

TEST(Cluster, OneLine) {
  const Cluster cluster = parse_cluster(" v100=36, p100 = 36/4", catalog());
  ASSERT_EQ(cluster.pools.size(), 2U);
  EXPECT_EQ(cluster.name, "v100=36, p100 = 36/4");
  EXPECT_EQ(cluster.pools[0].type, "v100");
  EXPECT_EQ(cluster.pools[0].per_node, 8);
  EXPECT_EQ(cluster.pools[0].nodes(), 5);  // 4 * 8 + 4
  EXPECT_EQ(cluster.pools[1].type, "p100");
  EXPECT_EQ(cluster.pools[1].nodes(), 9);
  EXPECT_EQ(cluster.gpus(), 72);
  EXPECT_EQ(cluster.nodes(), 14);
}

TEST(Cluster, PowerAndPriceComeFromTheCatalogue) {
  const Pool pool = parse_cluster("v100=1", catalog()).pools.at(0);
  const catalog::Gpu& gpu = catalog().gpus.get("v100");
  EXPECT_EQ(pool.power.value, gpu.tdp->value);
  EXPECT_DOUBLE_EQ(pool.idle.value, 0.15 * gpu.tdp->value);
  // No machine that can be rented has the GPU for less, and one has it for that.
  double least = 1e300;
  for (const catalog::Machine& machine : catalog().machines.all()) {
    if (machine.gpu != gpu.id || !machine.listed || machine.accelerator_only) continue;
    const auto rate = lowest_on_demand(machine);
    if (rate) least = std::min(least, rate->value * 3600 / machine.gpu_count);
  }
  EXPECT_DOUBLE_EQ(pool.hour_price.value, least);
  EXPECT_GT(pool.hour_price.value, 0.1);
  EXPECT_LT(pool.hour_price.value, 10);
}

TEST(Cluster, UnknownTypeHasNoPriceAndNoPower) {
  const Pool pool = parse_cluster("nobody-knows=3", catalog()).pools.at(0);
  EXPECT_EQ(pool.hour_price.value, 0);
  EXPECT_EQ(pool.power.value, 0);
  EXPECT_EQ(pool.idle.value, 0);
}

TEST(Cluster, ErrorsOfALinePointAndHint) {
  EXPECT_EQ(line_error("v100=36,p100"),
            "`cluster`:1:9: error: 'p100' is no pool of GPUs\n"
            "  hint: write type=GPUs or type=GPUs/per-node: v100=36,p100=36/4");
  EXPECT_THAT(line_error("v100=x"), StartsWith("`cluster`:1:6: error: 'x' is no number of GPUs"));
  EXPECT_THAT(line_error("v100=0"), HasSubstr("0 GPUs: a pool has from 1 to ten million"));
  EXPECT_THAT(line_error("v100=-4"), HasSubstr("-4 GPUs"));
  EXPECT_THAT(line_error("v100=nan"), HasSubstr("'nan' is no number of GPUs"));
  EXPECT_THAT(line_error("v100=3.5"), HasSubstr("'3.5' is no number of GPUs"));
  EXPECT_THAT(line_error("v100=1000000000000000000"), HasSubstr("from 1 to ten million"));
  EXPECT_THAT(line_error("v100=99999999999999999999999"), HasSubstr("is no number of GPUs"));
  EXPECT_THAT(line_error("v100=4/0"), StartsWith("`cluster`:1:8: error: 0 GPUs per node"));
  EXPECT_THAT(line_error("v100=4/"), StartsWith("`cluster`:1:8: error: '' is no number of GPUs"));
  EXPECT_THAT(line_error("=4"), HasSubstr("this pool has no type of GPU"));
  EXPECT_THAT(line_error(""), HasSubstr("no cluster is named"));
  EXPECT_THAT(line_error("v100=4,"), HasSubstr("'' is no pool"));
  EXPECT_THAT(line_error("v100=4,V100=4"), HasSubstr("there is a pool of 'v100' already"));
  EXPECT_THAT(line_error("a=9000000,b=9000000"), HasSubstr("18000000 GPUs together"));
  EXPECT_THAT(line_error("no-such-file.toml"), HasSubstr("no-such-file.toml"));
}

TEST(Cluster, FileWithEveryKey) {
  const Cluster cluster = parse_cluster_toml(R"(
name = "two racks"
[[pool]]
type = "v100"
gpus = 60
per_node = 4
nodes_per_rack = 8
speed = 2.5
across_nodes = 0.7
across_racks = 0.5
price = "2.48 USD/h"
power = "250 W"
idle = "40 W"
)",
                                             "c.toml", catalog());
  EXPECT_EQ(cluster.name, "two racks");
  const Pool& pool = cluster.pools.at(0);
  EXPECT_EQ(pool.gpus, 60);
  EXPECT_EQ(pool.nodes(), 15);
  EXPECT_EQ(pool.nodes_per_rack, 8);
  EXPECT_EQ(pool.speed, 2.5);
  EXPECT_EQ(pool.across_nodes, 0.7);
  EXPECT_EQ(pool.across_racks, 0.5);
  EXPECT_DOUBLE_EQ(pool.hour_price.value, 2.48);
  EXPECT_EQ(pool.power.value, 250);
  EXPECT_EQ(pool.idle.value, 40);
}

TEST(Cluster, DefaultsOfAPool) {
  const Pool plain = toml_pool("");
  EXPECT_EQ(plain.per_node, 8);
  EXPECT_EQ(plain.across_racks, 1);
  EXPECT_EQ(toml_pool("across_nodes = 0.6").across_racks, 0.6);     // never faster than within a rack
  EXPECT_DOUBLE_EQ(toml_pool("power = \"200 W\"").idle.value, 30);  // 0.15 * 200
  EXPECT_EQ(toml_pool("price_usd_h = 2").hour_price.value, 2);
}

// A V100 has 15.7 TFLOP/s and 900 GB/s, the die of a K80 4.37 TFLOP/s and 240 GB/s.
TEST(Cluster, SpeedsThatNobodyStatesComeFromTheCatalogue) {
  const Cluster line = parse_cluster("v100=8,k80=8,own=8", catalog());
  EXPECT_EQ(line.pools[0].speed, 1);
  EXPECT_EQ(line.pools[0].speed_from, SpeedFrom::reference);
  EXPECT_NEAR(line.pools[1].speed, std::sqrt(4.37 / 15.7 * 240 / 900), 1e-9);
  EXPECT_EQ(line.pools[1].speed_from, SpeedFrom::catalogue);
  EXPECT_EQ(line.pools[2].speed, 1);
  EXPECT_EQ(line.pools[2].speed_from, SpeedFrom::unknown);
  const std::string k80 = "[[pool]]\ntype = \"k80\"\ngpus = 4\nspeed = 0.5\n";
  const Cluster file = parse_cluster_toml(k80 + "[[pool]]\ntype = \"v100\"\ngpus = 4\n", "c.toml", catalog());
  EXPECT_EQ(file.pools[0].speed_from, SpeedFrom::stated);
  EXPECT_NEAR(file.pools[1].speed, 0.5 / line.pools[1].speed, 1e-9);
  EXPECT_EQ(parse_cluster("k80=8", catalog()).pools[0].speed, 1) << "one type has nothing to be relative to";
}

TEST(Cluster, APoolOfAMachineTypeIsAsTheTypeSays) {
  const std::string v100 = "[[pool]]\ntype = \"v100\"\ngpus = 16\n";
  const auto pool = [&](const std::string& rest) {
    return parse_cluster_toml(v100 + rest, "c.toml", catalog()).pools.at(0);
  };
  const catalog::Machine& machine = catalog().machines.get("aws/p3.8xlarge");
  const Pool rented = pool("machine = \"p3.8xlarge\"\nnetwork = \"25GbE\"");
  EXPECT_EQ(rented.machine, "aws/p3.8xlarge");
  EXPECT_EQ(rented.link, "ethernet-25g");
  EXPECT_EQ(rented.nodes(), 4);  // of 4 GPUs
  EXPECT_DOUBLE_EQ(rented.hour_price.value, (*lowest_on_demand(machine) * kHour).value / 4);
  EXPECT_EQ(pool("machine = \"p3.8xlarge\"\nper_node = 2").nodes(), 8);
  const Pool same = pool_of(machine, 4, catalog());
  EXPECT_EQ(same.gpus, 16);
  EXPECT_EQ(same.hour_price, rented.hour_price);
  EXPECT_EQ(same.power, rented.power);
  EXPECT_TRUE(names_link(same, catalog())) << "its type does";
  EXPECT_FALSE(names_link(pool(""), catalog()));
  EXPECT_THAT(toml_error(v100 + "machine = \"p3.9xlarge\""), HasSubstr("c.toml:4:"));
  EXPECT_THAT(toml_error(v100 + "machine = \"p2.xlarge\""), HasSubstr("its GPUs are of type 'k80'"));
  EXPECT_THAT(toml_error(v100 + "network = \"nvlink-2\""), HasSubstr("joins GPUs of one machine"));
}

TEST(Cluster, ErrorsOfAFilePointAndHint) {
  EXPECT_THAT(toml_error(""), HasSubstr("c.toml:1:1: error: the file has no pool"));
  const std::string own = "[[pool]]\ntype = \"own\"\ngpus = 10\n";
  EXPECT_THAT(toml_error(own + "per_nod = 4"), HasSubstr("c.toml:4:"));
  EXPECT_THAT(toml_error(own + "per_nod = 4"), HasSubstr("per_node"));
  EXPECT_THAT(toml_error("pools = 3\n" + own), HasSubstr("c.toml:1:"));
  EXPECT_THAT(toml_error("[[pool]]\ntype = \"own\"\n"), HasSubstr("gpus"));
  EXPECT_THAT(toml_error("[[pool]]\ngpus = 4\n"), HasSubstr("type"));
  EXPECT_THAT(toml_error("[[pool]]\ntype = \" \"\ngpus = 4\n"), HasSubstr("the type is empty"));
  EXPECT_THAT(toml_error("[[pool]]\ntype = \"x\"\ngpus = 0\n"), HasSubstr("c.toml:3:8: error: 'gpus' is 0"));
  EXPECT_THAT(toml_error("[[pool]]\ntype = \"x\"\ngpus = 1000000000000000000\n"), HasSubstr("ten million"));
  EXPECT_THAT(toml_error(own + "speed = nan"), HasSubstr("finite"));
  EXPECT_THAT(toml_error(own + "speed = 0"), HasSubstr("'speed' is 0, and must be above 0"));
  EXPECT_THAT(toml_error(own + "across_nodes = 1.5"), HasSubstr("at most 1"));
  EXPECT_THAT(toml_error(own + "across_nodes = 0.5\nacross_racks = 0.6"),
              HasSubstr("faster than on several nodes of one rack"));
  EXPECT_THAT(toml_error(own + "nodes_per_rack = -1"), HasSubstr("from 0"));
  EXPECT_THAT(toml_error(own + "price_usd_h = -1"), HasSubstr("cannot be negative"));
  EXPECT_THAT(toml_error(own + "price = \"2.48\""), HasSubstr("has no unit"));
  EXPECT_THAT(toml_error(own + "price = \"2 USD/h\"\nprice_usd_h = 2"), HasSubstr("given twice"));
  EXPECT_THAT(toml_error(own + "power = \"1e30 W\""), HasSubstr("too large"));
  EXPECT_THAT(toml_error(own + "idle = \"5 W\""), HasSubstr("state 'power' too"));
  EXPECT_THAT(toml_error(own + "power = \"50 W\"\nidle = \"60 W\""), HasSubstr("busy is 50 W"));
  EXPECT_THAT(toml_error(own + own), HasSubstr("c.toml:5:8: error: there is a pool of 'own' already"));
}

TEST(Cluster, AFileIsReadByItsName) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "sextant_cluster_test.toml";
  std::ofstream(path) << "[[pool]]\ntype = \"own\"\ngpus = 3\n";
  const Cluster cluster = parse_cluster(path.string(), catalog());
  EXPECT_EQ(cluster.gpus(), 3);
  EXPECT_EQ(cluster.name, path.string());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace sextant::clusters
