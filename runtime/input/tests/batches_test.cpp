// Order, slices, reading ahead and caching of batches: laws over every combination of options.
#include "sextant/input/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <set>

#include "cached_samples.h"
#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::input {
namespace {

// A sample of which every value is its number; counts its reads, and fails for one number if asked.
class Numbers final : public SampleSet {
 public:
  explicit Numbers(std::int64_t size) : size_(size) {}
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::int64_t classes() const override { return 7; }
  [[nodiscard]] SampleShape shape() const override { return {.channels = 1, .height = 1, .width = 3}; }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    ++reads;
    if (index == broken) throw InputError("sample " + std::to_string(index) + " is broken");
    std::ranges::fill(values, static_cast<float>(index));
    return index % 7;
  }
  mutable std::atomic<std::int64_t> reads = 0;
  std::atomic<std::int64_t> broken = -1;

 private:
  std::int64_t size_;
};

std::vector<std::int64_t> samples_of(const Batch& batch) {
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    const auto sample = static_cast<std::int64_t>(batch.values[3 * i]);
    EXPECT_EQ(batch.labels[i], sample % 7);
    EXPECT_EQ(batch.values[3 * i + 2], batch.values[3 * i]);
    samples.push_back(sample);
  }
  return samples;
}

std::vector<std::int64_t> read_range(BatchSource& source, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> samples;
  for (std::int64_t i = from; i < to; ++i)
    std::ranges::copy(samples_of(source.next(i)), std::back_inserter(samples));
  return samples;
}

TEST(Batches, AnEpochTakesEverySampleOnceAndTheNextInAnotherOrder) {
  const Numbers data(24);
  const auto source = make_batches(data, {.batch = 4});
  ASSERT_EQ(source->batches_per_epoch(), 6);
  const auto first = read_range(*source, 0, 6);
  const auto second = read_range(*source, 6, 12);
  EXPECT_NE(first, second);
  for (const auto& epoch : {first, second}) EXPECT_EQ(std::set(epoch.begin(), epoch.end()).size(), 24U);
}

TEST(Batches, WithoutShufflingTheOrderIsThatOfTheData) {
  const Numbers data(7);  // the seventh is left out
  const auto source = make_batches(data, {.batch = 2, .shuffle = false});
  EXPECT_THAT(read_range(*source, 0, 5), testing::ElementsAre(0, 1, 2, 3, 4, 5, 0, 1, 2, 3));
}

TEST(Batches, EveryPermutationOfThreeIsAsLikely) {
  const Numbers data(3);
  const auto source = make_batches(data, {.batch = 3, .seed = 5});
  std::map<std::vector<std::int64_t>, int> seen;
  for (std::int64_t epoch = 0; epoch < 6000; ++epoch) ++seen[samples_of(source->next(epoch))];
  ASSERT_EQ(seen.size(), 6U);
  double chi2 = 0;
  for (const auto& [order, count] : seen) chi2 += (count - 1000) * (count - 1000) / 1000.0;
  EXPECT_LT(chi2, 20.5);  // five degrees of freedom: exceeded once in a thousand
}

TEST(Batches, WorkersSeeTogetherWhatOneWithTheirBatchesSees) {
  const Numbers data(50);
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    const auto workers = static_cast<std::int64_t>(1 + rng.below(5));
    const auto batch = static_cast<std::int64_t>(1 + rng.below(10));
    const std::uint64_t seed = rng.bits();
    const auto whole = make_batches(data, {.batch = batch * workers, .seed = seed});
    for (std::int64_t index : {0, 1, 2, 7}) {
      std::vector<std::int64_t> together;
      for (std::int64_t w = 0; w < workers; ++w) {
        const auto part = make_batches(
            data, {.batch = batch, .worker = w, .workers = workers, .prefetch = w % 3, .seed = seed});
        EXPECT_EQ(part->batches_per_epoch(), whole->batches_per_epoch());
        std::ranges::copy(samples_of(part->next(index)), std::back_inserter(together));
      }
      EXPECT_EQ(together, samples_of(whole->next(index)));
    }
  }
}

TEST(Batches, ReadingAheadAndCachingChangeNothing) {
  const Numbers data(40);
  const BatchOptions plain{.batch = 3, .seed = 9};
  const auto expected = read_range(*make_batches(data, plain), 0, 60);
  for (std::int64_t prefetch : {0, 1, 2, 5}) {
    for (std::int64_t readers : {1, 3}) {
      for (std::int64_t cache : {0, 7, -1}) {
        BatchOptions options = plain;
        options.prefetch = prefetch;
        options.readers = readers;
        options.cache_samples = cache;
        EXPECT_EQ(read_range(*make_batches(data, options), 0, 60), expected);
      }
    }
  }
}

TEST(Batches, StartingAgainAtAnyIndexGivesTheSameBatches) {
  const Numbers data(30);
  const auto plain = make_batches(data, {.batch = 4, .seed = 3});
  Rng rng(2);
  for (std::int64_t prefetch : {0, 1, 4}) {
    const auto source = make_batches(data, {.batch = 4, .prefetch = prefetch, .readers = 2, .seed = 3});
    for (int jump = 0; jump < 100; ++jump) {
      const auto index = static_cast<std::int64_t>(rng.below(40));
      EXPECT_EQ(read_range(*source, index, index + 3), read_range(*plain, index, index + 3));
    }
  }
}

TEST(Batches, WhatAReaderCannotReadIsThrownForItsBatchAndMayBeTriedAgain) {
  for (std::int64_t prefetch : {0, 1, 3}) {
    Numbers data(20);
    data.broken = 9;
    const auto source =
        make_batches(data, {.batch = 4, .prefetch = prefetch, .readers = 2, .shuffle = false});
    EXPECT_THAT(read_range(*source, 0, 2), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(sextant::test::error_of([&] { source->next(2); }), "error: sample 9 is broken");
    EXPECT_EQ(sextant::test::error_of([&] { source->next(2); }), "error: sample 9 is broken");
    data.broken = -1;
    EXPECT_THAT(read_range(*source, 2, 4), testing::ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  }
}

TEST(Batches, ASourceThatIsNotReadToItsEndStopsItsReaders) {
  const Numbers data(1000);
  for (int i = 0; i < 20; ++i) {
    const auto source = make_batches(data, {.batch = 1, .prefetch = 100, .readers = 3});
    if (i % 2 == 0) source->next(i);
  }
  SUCCEED();  // the destructor came back
}

TEST(Batches, OptionsThatCannotBeMetAreRefused) {
  const Numbers data(10);
  const auto message = [&](const BatchOptions& options) {
    return sextant::test::error_of([&] { make_batches(data, options); });
  };
  EXPECT_THAT(message({.batch = 4, .workers = 3}),
              testing::HasSubstr("10 samples, fewer than one batch of 4 for each of 3 workers"));
  EXPECT_THAT(message({.batch = 11}), testing::HasSubstr("for each of 1 worker\n"));
  EXPECT_THAT(message({.batch = 0}), testing::HasSubstr("batch is 0"));
  EXPECT_THAT(message({.batch = std::numeric_limits<std::int64_t>::max()}), testing::HasSubstr("batch is"));
  EXPECT_THAT(message({.batch = 1, .worker = 2, .workers = 2}), testing::HasSubstr("worker is 2"));
  EXPECT_THAT(message({.batch = 1, .workers = 0}), testing::HasSubstr("number of workers is 0"));
  EXPECT_THAT(message({.batch = 1, .prefetch = -1}), testing::HasSubstr("prefetch is -1"));
  EXPECT_THAT(message({.batch = 1, .readers = 0}), testing::HasSubstr("number of readers is 0"));
  EXPECT_THAT(message({.batch = 1, .cache_samples = -2}), testing::HasSubstr("cached samples is -2"));
}

TEST(Batches, ACacheWithRoomForAShareHitsThatShareInEveryLaterEpoch) {
  const Numbers data(40);
  for (std::int64_t room : {0, 10, 40}) {
    data.reads = 0;
    const auto source = make_batches(data, {.batch = 5, .prefetch = 2, .readers = 2, .cache_samples = room});
    read_range(*source, 0, 8);
    // Read ahead is at most two batches of five; where the cache is full, each later epoch misses the rest.
    read_range(*source, 8, 8 * 5);
    const std::int64_t misses = data.reads - 40;
    EXPECT_GE(misses, 4 * (40 - room));
    EXPECT_LE(misses, 4 * (40 - room) + 10);
  }
}

TEST(Batches, ACacheLargerThanTheMachineIsRefused) {
  class Huge final : public SampleSet {
    [[nodiscard]] std::int64_t size() const override { return 1'000'000'000; }
    [[nodiscard]] std::int64_t classes() const override { return 1; }
    [[nodiscard]] SampleShape shape() const override {
      return {.channels = 3, .height = 1000, .width = 1000};
    }
    std::int64_t read(std::int64_t /*index*/, std::span<float> /*values*/) const override { return 0; }
  };
  EXPECT_THAT(sextant::test::error_of([] { make_batches(Huge(), {.batch = 1, .cache_samples = -1}); }),
              testing::HasSubstr("a cache of 1000000000 decoded samples needs 12000000 GB"));
}

TEST(CachedSamples, KeepsNoMoreThanThereIsRoomForAndNeverLetsGo) {
  const Numbers data(10);
  const CachedSamples cache(data, 4);
  std::vector<float> values(3);
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (std::int64_t i = 0; i < 10; ++i) {
      EXPECT_EQ(cache.read(i, values), i % 7);
      EXPECT_EQ(values[1], static_cast<float>(i));
    }
  }
  EXPECT_EQ(cache.kept(), 4);
  EXPECT_EQ(data.reads, 10 + 6 + 6);
}

}  // namespace
}  // namespace sextant::input
