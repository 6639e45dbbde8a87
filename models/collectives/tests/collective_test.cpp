// The worked figures of the literature, and laws that hold for every link.
#include "sextant/collectives/collective.h"

#include <gtest/gtest.h>

#include "sextant/core/rng.h"

namespace sextant::collectives {
namespace {

constexpr Path kEdr{Seconds{5e-6}, Bandwidth{12.5e9}};
constexpr Bytes kMessage{100e6};

double milliseconds(Algorithm algorithm, std::int64_t ranks) {
  return 1e3 * flat_cost(Collective::all_reduce, algorithm, kEdr, {kMessage, ranks})->total().value;
}

// 14 steps of 5 us and 2 * 7/8 * 100 MB / 12.5 GB/s = 14 ms for the ring of 8; the others alike.
TEST(FlatCost, AllReduceOf100MB) {
  EXPECT_NEAR(milliseconds(Algorithm::ring, 8), 14.070, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::tree, 8), 48.030, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::recursive_doubling, 8), 24.015, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::halving_doubling, 8), 14.030, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::ring, 64), 16.380, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::tree, 64), 96.060, 5e-4);
  EXPECT_NEAR(milliseconds(Algorithm::halving_doubling, 64), 15.810, 5e-4);
}

TEST(FlatCost, RingOvertakesDoublingAt64RanksAbove1860kB) {
  const auto faster = [](double bytes) {
    const Message message{Bytes{bytes}, 64};
    return flat_cost(Collective::all_reduce, Algorithm::ring, kEdr, message)->total() <
           flat_cost(Collective::all_reduce, Algorithm::recursive_doubling, kEdr, message)->total();
  };
  EXPECT_FALSE(faster(1.859e6));
  EXPECT_TRUE(faster(1.861e6));
}

// 16 nodes of 4: with one flow a card 6.918 ms, with all four sharing it 18.168 ms.
TEST(CollectiveCost, HierarchyOf16x4) {
  const Path nvlink{Seconds{3e-6}, Bandwidth{50e9}};
  const auto time = [&](double flows) {
    const auto inside = [&](Collective c) {
      return flat_cost(c, Algorithm::ring, nvlink, {kMessage, 4})->total();
    };
    const Path card{kEdr.latency, kEdr.bandwidth / flows};
    const Seconds outside =
        flat_cost(Collective::all_reduce, Algorithm::ring, card, {kMessage / 4, 16})->total();
    return 1e3 * (inside(Collective::reduce_scatter) + outside + inside(Collective::all_gather)).value;
  };
  EXPECT_NEAR(time(1), 6.918, 5e-4);
  EXPECT_NEAR(time(4), 18.168, 5e-4);
}

TEST(CollectiveCost, OneRankCostsNothing) {
  EXPECT_EQ(collective_cost({kEdr}, Collective::all_reduce, kMessage, {1, 1}).total(), Seconds{});
}

// A law, not an example: a faster link never makes an operation slower.
TEST(CollectiveCost, FasterLinksAreNeverSlower) {
  Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const auto collective = static_cast<Collective>(i % 6);
    const Path inside{Seconds{1e-6}, Bandwidth{1e9 + 1e11 * rng.uniform()}};
    const Path across{Seconds{1e-5}, Bandwidth{1e8 + 1e10 * rng.uniform()}};
    const Group group{.ranks = 16, .nodes = 1 + i % 4, .flows = 1.0 + i % 3};
    const Bytes bytes{1e3 + 1e9 * rng.uniform()};
    const auto total = [&](const Fabric& fabric) {
      return collective_cost(fabric, collective, bytes, group).total().value;
    };
    const double base = total({inside, across});
    EXPECT_LE(total({{inside.latency, 2 * inside.bandwidth}, across}), base * (1 + 1e-9));
    EXPECT_LE(total({inside, Path{across.latency, 2 * across.bandwidth}}), base * (1 + 1e-9));
  }
}

TEST(Collective, NamesReadBack) {
  EXPECT_EQ(parse_collective("all_reduce"), Collective::all_reduce);
  EXPECT_EQ(parse_collective("send_recv"), Collective::p2p);
  EXPECT_THROW(parse_collective("all-reduction"), InputError);
}

// Eight ranks in a switch that sums: nine eighths of the buffer at 480/370 x 9/14 of the rate.
TEST(InSwitch, IsForAllReducesOnPathsThatSum) {
  Path path{Seconds{1e-6}, Bandwidth{100e9}};
  const Message message{Bytes{8e8}, 8};
  EXPECT_FALSE(flat_cost(Collective::all_reduce, Algorithm::in_switch, path, message));
  path.reduces = true;
  const auto cost = flat_cost(Collective::all_reduce, Algorithm::in_switch, path, message);
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->latency.value, 8e-6, 1e-12);
  EXPECT_NEAR(cost->transfer.value, 9e8 / (480.0 / 370 * 9 / 14 * 100e9), 1e-9);
  EXPECT_FALSE(flat_cost(Collective::all_gather, Algorithm::in_switch, path, message));
}

}  // namespace
}  // namespace sextant::collectives
