// Laws of cutting parameters into buckets and shards, over random networks.
#include "shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "buckets.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::measure {
namespace {

std::vector<TensorPart> drawn_tensors(Rng& rng) {
  std::vector<TensorPart> tensors;
  std::int64_t offset = 0;
  const std::uint64_t count = 1 + rng.below(40);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t size = std::uint64_t{1} << rng.below(18);
    const auto values = static_cast<std::int64_t>(rng.below(size + 1));  // some are empty
    tensors.push_back({"t", offset, values});
    offset += values;
  }
  return tensors;
}

std::size_t total_of(const std::vector<TensorPart>& tensors) {
  return static_cast<std::size_t>(tensors.back().offset + tensors.back().count);
}

TEST(Buckets, CoverEverythingInOrderWithinTheirSize) {
  Rng rng = Rng(3).stream("buckets");
  for (int run = 0; run < 300; ++run) {
    const auto tensors = drawn_tensors(rng);
    const double mib = 0.01 + rng.uniform();
    const auto buckets = make_buckets(tensors, mib);
    const double most = mib * 1024 * 1024 / 4;
    std::size_t next = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      ASSERT_EQ(buckets[i].offset, next) << "no gap, no overlap";
      next += buckets[i].count;
      const TensorPart& last = tensors[buckets[i].last_tensor];
      ASSERT_EQ(static_cast<std::size_t>(last.offset + last.count), next) << "whole tensors";
      if (static_cast<double>(buckets[i].count) > most) {
        ASSERT_EQ(buckets[i].count, static_cast<std::size_t>(last.count)) << "larger only with one tensor";
      }
      if (i + 1 < buckets.size()) {  // as few as can be: the next tensor would not have fitted
        std::size_t after = buckets[i].last_tensor + 1;
        while (tensors[after].count == 0) ++after;
        ASSERT_GT(static_cast<double>(buckets[i].count) + static_cast<double>(tensors[after].count), most);
      }
    }
    ASSERT_EQ(next, total_of(tensors));
  }
}

TEST(Buckets, OfTheOracleNotes) {
  // Three tensors of 4, 4 and 2 MiB in buckets of 8 MiB: the tail is a bucket of its own.
  const std::int64_t mib = 1024 * 1024 / 4;
  const std::vector<TensorPart> tensors = {
      {"a", 0, 4 * mib}, {"b", 4 * mib, 4 * mib}, {"c", 8 * mib, 2 * mib}};
  const auto buckets = make_buckets(tensors, 8);
  ASSERT_EQ(buckets.size(), 2U);
  EXPECT_EQ(buckets[0].last_tensor, 1U);
  EXPECT_EQ(buckets[1].count, static_cast<std::size_t>(2 * mib));
  EXPECT_THROW(make_buckets(tensors, 0), InputError);
  EXPECT_THROW(make_buckets(tensors, std::nan("")), InputError);
  EXPECT_TRUE(make_buckets({}, 1).empty());
}

TEST(Shards, CoverEverythingAndAreBalanced) {
  Rng rng = Rng(4).stream("shards");
  for (int run = 0; run < 300; ++run) {
    const auto tensors = drawn_tensors(rng);
    const auto servers = static_cast<std::int64_t>(1 + rng.below(8));
    const auto pieces = plan_shards(tensors, servers);
    const auto total = static_cast<double>(total_of(tensors));
    const double largest_piece = std::max(1.0, total / (4.0 * static_cast<double>(servers)));
    std::map<std::int64_t, double> load;
    std::size_t next = 0;
    for (const ParameterPiece& piece : pieces) {
      ASSERT_EQ(piece.offset, next);
      next += piece.count;
      ASSERT_LE(static_cast<double>(piece.count), largest_piece);
      ASSERT_GE(piece.server, 0);
      ASSERT_LT(piece.server, servers);
      load[piece.server] += static_cast<double>(piece.count);
    }
    ASSERT_EQ(next, total_of(tensors));
    // Graham: whoever got the last piece had least before it, at most the mean.
    for (const auto& [server, values] : load) {
      ASSERT_LE(values, total / static_cast<double>(servers) + largest_piece) << "server " << server;
    }
  }
}

TEST(Shards, BucketsOfServersPartitionTheParameters) {
  Rng rng = Rng(5).stream("shards");
  for (int run = 0; run < 200; ++run) {
    const auto tensors = drawn_tensors(rng);
    const auto servers = static_cast<std::int64_t>(1 + rng.below(5));
    const auto buckets = make_shard_buckets(plan_shards(tensors, servers), 0.02 + rng.uniform());
    std::vector<int> owner(total_of(tensors));
    std::map<std::int64_t, std::size_t> next_index;
    std::size_t last_tensor = 0;
    for (const ShardBucket& bucket : buckets) {
      ASSERT_EQ(bucket.index, next_index[bucket.server]++) << "a server sees its buckets in order";
      ASSERT_GE(bucket.last_tensor, last_tensor);
      last_tensor = bucket.last_tensor;
      std::size_t count = 0;
      for (const FlatRun& part : bucket.runs) {
        count += part.count;
        for (std::size_t i = 0; i < part.count; ++i) ++owner[part.offset + i];
        const TensorPart& last = tensors[bucket.last_tensor];
        ASSERT_LE(part.offset + part.count, static_cast<std::size_t>(last.offset + last.count));
      }
      ASSERT_EQ(count, bucket.count);
    }
    ASSERT_TRUE(std::ranges::all_of(owner, [](int times) { return times == 1; }));
    if (servers == 1) {
      for (const ShardBucket& bucket : buckets) ASSERT_EQ(bucket.runs.size(), 1U) << "one server: no gaps";
    }
  }
}

TEST(Shards, NeedAServer) {
  EXPECT_THROW(plan_shards({}, 0), InputError);
  EXPECT_TRUE(plan_shards({}, 2).empty());
}

}  // namespace
}  // namespace sextant::measure
