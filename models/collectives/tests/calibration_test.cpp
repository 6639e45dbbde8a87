// Laws of the calibrated model, its file, and its effective paths.
#include "sextant/collectives/calibration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/collectives/fabric_of.h"

namespace sextant::collectives {
namespace {

struct CalibratedModel : testing::Test {
  catalog::Catalog catalog = catalog::builtin_catalog();
  Systems systems = load_systems(catalog);

  [[nodiscard]] double seconds(const System& system, const CollectiveQuestion& question) const {
    return estimate(builtin_calibration(), system, question).time.value;
  }
};

constexpr std::array<Collective, 6> kAll = {Collective::all_reduce, Collective::reduce_scatter,
                                            Collective::all_gather, Collective::broadcast,
                                            Collective::all_to_all, Collective::p2p};

TEST_F(CalibratedModel, OneGpuCostsNothing) {
  for (const Collective c : kAll) EXPECT_EQ(seconds(systems.get("a100-dgx"), {c, 1, 1, Bytes{1e6}}), 0);
}

TEST_F(CalibratedModel, MoreBytesAreNeverFaster) {
  for (const System& system : systems.all()) {
    for (const Collective c : kAll) {
      double before = 0;
      for (double bytes = 0; bytes < 1e10; bytes = 1.3 * bytes + 1000) {
        const double now = seconds(system, {c, 2, 1, Bytes{bytes}});
        EXPECT_GE(now, before) << system.id << " " << to_string(c) << " " << bytes;
        before = now;
      }
    }
  }
}

// NCCL on H100, bus bandwidths of long all-reduces in GB/s: 370 as a ring on any number of GPUs; in the
// switch 370 on four and fewer, 420, 440, 460 and 480 on five to eight (github.com/NVIDIA/nccl, issue 1455).
TEST_F(CalibratedModel, ASwitchThatSumsIsAsMuchFasterAsPublished) {
  const System switched = system_of(catalog, "nvlink-4", "");
  System plain = switched;
  plain.inside.reduces = false;
  const Bytes bytes{4e9};
  const std::map<std::int64_t, double> published = {{2, 370}, {4, 370}, {5, 420},
                                                    {6, 440}, {7, 460}, {8, 480}};
  for (const auto& [gpus, bus] : published) {
    const CollectiveQuestion question{Collective::all_reduce, gpus, 1, bytes};
    EXPECT_NEAR(seconds(plain, question) / seconds(switched, question), bus / 370, 0.025 * bus / 370) << gpus;
  }
  const auto answer = estimate(builtin_calibration(), switched, {Collective::all_reduce, 8, 1, bytes});
  EXPECT_EQ(answer.protocol, "switch");
  EXPECT_EQ(answer.algorithm, Algorithm::in_switch);
  for (const Collective c : {Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all}) {
    const CollectiveQuestion question{c, 8, 1, bytes};
    EXPECT_EQ(seconds(plain, question), seconds(switched, question)) << to_string(c);
  }
}

TEST_F(CalibratedModel, OnlySwitchesOfHopperAndLaterSum) {
  EXPECT_TRUE(reduces_in_switch(systems.get("h100-dgx")));
  EXPECT_TRUE(reduces_in_switch(system_of(catalog, catalog.machines.get("aws/p5.48xlarge"))));
  EXPECT_FALSE(reduces_in_switch(systems.get("a100-dgx")));
  EXPECT_FALSE(reduces_in_switch(systems.get("h100-pairwise-nvlink")));
}

TEST_F(CalibratedModel, MoreRanksAcrossNodesThanWereTimedAreLessSure) {
  const System& system = systems.get("h100-dgx");
  const auto half = [&](std::int64_t gpus) {
    const auto e = estimate(builtin_calibration(), system, {Collective::all_reduce, gpus, 2, Bytes{64e6}});
    return std::log(e.high / e.time);
  };
  EXPECT_NEAR(half(16), 1.5 * half(8), 1e-9) << "8 is the most that was timed across nodes";
}

TEST_F(CalibratedModel, MoreGpusOfANodeAreNeverFaster) {
  const System system = system_of(catalog, "nvlink-3", "");
  for (const Collective c : kAll) {
    if (c == Collective::p2p) continue;
    for (const double bytes : {1e3, 1e6, 1e9}) {
      double before = 0;
      for (std::int64_t gpus = 2; gpus <= 64; gpus *= 2) {
        const double now = seconds(system, {c, gpus, 1, Bytes{bytes}});
        EXPECT_GE(now, before);
        before = now;
      }
    }
  }
}

TEST_F(CalibratedModel, FasterLinksAreNeverSlower) {
  for (System system : systems.all()) {
    if (!system.network) continue;
    for (const std::int64_t nodes : {1, 2}) {
      for (const Collective c : kAll) {
        for (const double bytes : {1e3, 1e6, 1e8}) {
          const CollectiveQuestion question{c, 2, nodes, Bytes{bytes}};
          System faster = system;
          faster.inside.bandwidth = 2 * faster.inside.bandwidth;
          faster.network->bandwidth = 2 * faster.network->bandwidth;
          EXPECT_LE(seconds(faster, question), seconds(system, question));
        }
      }
    }
  }
}

TEST_F(CalibratedModel, PartsAddUpAndTheIntervalHoldsTheTime) {
  const auto e = estimate(builtin_calibration(), systems.get("h100-dgx"),
                          {Collective::all_reduce, 8, 1, Bytes{1 << 26}});
  EXPECT_NEAR((e.latency + e.transfer).value, e.time.value, 1e-12);
  EXPECT_LT(e.low, e.time);
  EXPECT_GT(e.high, e.time);
  EXPECT_EQ(e.known, Known::nothing);
  // A ring of 8 carries 2 * 7/8 of the buffer.
  EXPECT_NEAR(e.bus.value * e.time.value, 1.75 * (1 << 26), 1);
}

TEST_F(CalibratedModel, RefusesWhatTheSystemCannotHold) {
  const auto error = [&](const char* system, const CollectiveQuestion& question) {
    return sextant::test::error_of(
        [&] { (void)estimate(builtin_calibration(), systems.get(system), question); });
  };
  using enum Collective;
  EXPECT_NE(error("a100-dgx", {all_reduce, 16, 1, Bytes{1}}).find("has 8 GPUs a node, not 16"),
            std::string::npos);
  EXPECT_NE(error("h100-pairwise-nvlink", {all_reduce, 4, 2, Bytes{1}}).find("no network"),
            std::string::npos);
  EXPECT_NE(error("a100-dgx", {p2p, 4, 1, Bytes{1}}).find("exactly 2 GPUs"), std::string::npos);
  EXPECT_NE(error("a100-dgx", {all_reduce, 0, 1, Bytes{1}}).find("number of GPUs"), std::string::npos);
  EXPECT_NE(error("a100-dgx", {all_reduce, 2, 3, Bytes{1}}).find("number of nodes"), std::string::npos);
  EXPECT_NE(error("a100-dgx", {all_reduce, 2, 1, Bytes{-1}}).find("size"), std::string::npos);
}

TEST(CalibrationFile, RoundTrip) {
  const std::string text = to_json(builtin_calibration()).dump(1);
  EXPECT_EQ(to_json(calibration_from_json(text, "c.json")).dump(1), text);
  EXPECT_FALSE(builtin_calibration().placements.empty());
}

TEST(CalibrationFile, RefusesWhatIsNotOne) {
  const auto error = [](const std::string& text) {
    return sextant::test::error_of([&] { (void)calibration_from_json(text, "c.json"); });
  };
  EXPECT_NE(error("{}").find("'schema' is not a calibration of collectives"), std::string::npos);
  EXPECT_NE(error("[").find("c.json"), std::string::npos);
  Json json = to_json(builtin_calibration());
  json["wires"]["pcie"]["step_s"] = -1;
  EXPECT_NE(error(json.dump()).find("'wires.pcie.step_s' is not above 0"), std::string::npos);
  json["wires"]["pcie"]["step_s"] = "fast";
  EXPECT_NE(error(json.dump()).find("'wires.pcie.step_s' is not a number"), std::string::npos);
  json["wires"].erase("pcie");
  EXPECT_NE(error(json.dump()).find("'wires.pcie' is missing"), std::string::npos);
}

TEST(FabricOf, MachinesAndLinks) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const Fabric p4d = fabric_of(catalog, catalog.machines.get("aws/p4d.24xlarge"));
  EXPECT_LT(p4d.inside.bandwidth, Bandwidth{300e9});
  EXPECT_GT(p4d.inside.bandwidth, Bandwidth{100e9});
  ASSERT_TRUE(p4d.across);
  EXPECT_LT(p4d.across->bandwidth, Bandwidth{50e9});
  EXPECT_FALSE(fabric_of(catalog, "pcie-4-x16", "").across);
  EXPECT_THROW((void)fabric_of(catalog, "no-link", ""), InputError);
}

// Both ways to ask agree on a large buffer, where latencies fade.
TEST(FabricOf, AgreesWithTheCalibratedModel) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const System system = system_of(catalog, "nvlink-3", "");
  const Bytes bytes{1e9};
  const double plain =
      collective_cost(fabric_of(system), Collective::all_reduce, bytes, {.ranks = 8}).total().value;
  const double calibrated =
      estimate(builtin_calibration(), system, {Collective::all_reduce, 8, 1, bytes}).time.value;
  EXPECT_NEAR(plain / calibrated, 1, 0.1);
}

}  // namespace
}  // namespace sextant::collectives
