// The small rules behind the strategies, with worked figures.
#include <gtest/gtest.h>

#include <numeric>

#include "hetpipe.h"
#include "overlap.h"
#include "parameter_server.h"
#include "pipeline.h"
#include "sextant/core/rng.h"
#include "zero.h"

namespace sextant::parallel {
namespace {

TEST(Pipeline, BubblesShrinkWithMicroBatchesAndPieces) {
  EXPECT_NEAR(bubble_overhead({4, 8, 1}), .375, 1e-12);
  EXPECT_NEAR(bubble_overhead({4, 8, 2}), .1875, 1e-12);
  EXPECT_NEAR(bubble_overhead({8, 64, 1}), .1094, 5e-5);
}

TEST(Pipeline, MicroBatchesInFlight) {
  EXPECT_EQ(micro_in_flight(Schedule::gpipe, {4, 8, 1}, 0), 8);
  EXPECT_EQ(micro_in_flight(Schedule::one_f_one_b, {4, 8, 1}, 0), 4);
  EXPECT_EQ(micro_in_flight(Schedule::one_f_one_b, {4, 8, 1}, 3), 1);
  EXPECT_EQ(micro_in_flight(Schedule::one_f_one_b, {4, 2, 1}, 0), 2);
  // 4 + 2 * 4 - 1 half stages while warming up.
  EXPECT_EQ(micro_in_flight(Schedule::one_f_one_b, {4, 8, 2}, 0), 5.5);
}

std::vector<Seconds> seconds(std::initializer_list<double> values) {
  std::vector<Seconds> list;
  for (const double value : values) list.push_back(Seconds{value});
  return list;
}

TEST(Pipeline, CutsWhereFewElementsCross) {
  const auto times = seconds({2, 2, 2, 2});
  const std::vector<double> elements = {0, 10, 9, 1};
  EXPECT_EQ(split_below(times, elements, 2, Seconds{4}), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(split_below(times, elements, 2, Seconds{6}), (std::vector<std::size_t>{0, 3}));
  EXPECT_TRUE(split_below(times, elements, 2, Seconds{3}).empty());
}

// Ready at 10, 18, 25, costs 9, 9, 6: sums end at 19, 28, 34.
TEST(Overlap, WorkedExample) {
  const Bucket buckets[] = {{Seconds{10}, Seconds{9}}, {Seconds{18}, Seconds{9}}, {Seconds{25}, Seconds{6}}};
  Seconds finish{};
  for (const Bucket& bucket : buckets) finish = bucket_finish(finish, bucket);
  EXPECT_EQ(finish, Seconds{34});
}

// 7.5 billion parameters of mixed-precision Adam (2 + 2 + 12 bytes) on 64 ranks.
TEST(Zero, WorkedExample) {
  const ParameterBytes adam{Bytes{2}, Bytes{2}, Bytes{12}};
  EXPECT_NEAR(zero_bytes(0, adam, 7.5e9, 64).total().value, 120e9, 1);
  EXPECT_NEAR(zero_bytes(1, adam, 7.5e9, 64).total().value, 31.41e9, 5e6);
  EXPECT_NEAR(zero_bytes(2, adam, 7.5e9, 64).total().value, 16.64e9, 5e6);
  EXPECT_NEAR(zero_bytes(3, adam, 7.5e9, 64).total().value, 1.875e9, 1);
}

TEST(ParameterServer, WaitsForTheSlowestOfMany) {
  EXPECT_NEAR(harmonic(8), 2.718, 5e-4);
  EXPECT_NEAR(expected_slowest(Seconds{2}, 8).value, 2 * 2.717857, 1e-6);
  // Without the slowest two: H_8 - H_2 = 2.717857 - 1.5.
  EXPECT_NEAR(expected_slowest(Seconds{1}, 8, 2).value, 1.217857, 1e-6);
}

TEST(ParameterServer, AsynchronousRate) {
  const std::vector<Seconds> cycles = seconds({1, 1, 2});
  EXPECT_DOUBLE_EQ(asynchronous_rate(cycles).value, 2.5);
}

// Servers of 1.25, 1.25, 1.25 and 0.4 GB/s: equal shards 0.5 s a direction, proportional ones 0.1928 s,
// without the slow one 0.2133 s.
TEST(ParameterServer, LoadInProportionToRates) {
  const std::vector<Bandwidth> rates = {Bandwidth{1.25e9}, Bandwidth{1.25e9}, Bandwidth{1.25e9},
                                        Bandwidth{.4e9}};
  const auto equal = equal_shards(Bytes{100e6}, 4);
  EXPECT_NEAR(shards_time(equal, rates, 8).value, .5, 1e-9);
  const auto proportional = proportional_shards(Bytes{100e6}, rates);
  EXPECT_NEAR(proportional[0].value, 30.12e6, 5e3);
  EXPECT_NEAR(proportional[3].value, 9.64e6, 5e3);
  EXPECT_NEAR(shards_time(proportional, rates, 8).value, .1928, 5e-5);
  const std::vector<Bandwidth> fast(rates.begin(), rates.begin() + 3);
  EXPECT_NEAR(shards_time(equal_shards(Bytes{100e6}, 3), fast, 8).value, .2133, 5e-5);
}

// 70 of 100 on two servers is sliced at 12.5 into 6 parts of 11.67: 3 parts, and 15 of the small ones, each.
TEST(ParameterServer, DealsSlicedTensorsLargestFirst) {
  const std::vector<Bytes> tensors = {Bytes{70}, Bytes{10}, Bytes{10}, Bytes{5}, Bytes{5}};
  const auto shards = tensor_shards(tensors, 2);
  ASSERT_EQ(shards.size(), 2U);
  EXPECT_NEAR(shards[0].value, 50, 1e-9);
  EXPECT_NEAR(shards[1].value, 50, 1e-9);
  // Within the largest piece, M / (4 S), of equal shards, whatever the tensors.
  Rng rng = Rng(9).stream("tensors");
  for (int round = 0; round < 100; ++round) {
    std::vector<Bytes> random;
    for (int i = 0; i < 30; ++i) random.push_back(Bytes{rng.exponential(1e6)});
    const Bytes model = std::accumulate(random.begin(), random.end(), Bytes{});
    const auto dealt = tensor_shards(random, 5);
    EXPECT_NEAR(std::accumulate(dealt.begin(), dealt.end(), Bytes{}).value, model.value, 1);
    EXPECT_LE(*std::ranges::max_element(dealt), model / 5 + model / 20);
  }
}

TEST(HetPipe, Staleness) {
  EXPECT_EQ(hetpipe_staleness(4, 0), 6);
  EXPECT_EQ(hetpipe_staleness(4, 4), 22);
  EXPECT_EQ(hetpipe_staleness(1, 0), 0);
}

}  // namespace
}  // namespace sextant::parallel
