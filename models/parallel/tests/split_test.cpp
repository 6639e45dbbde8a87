// Cutting a chain evenly by search gives what the dynamic programme gives.
#include <gtest/gtest.h>

#include <algorithm>

#include "cut_chain.h"
#include "pipeline.h"
#include "sextant/core/rng.h"

namespace sextant::parallel {
namespace {

double longest(const std::vector<Seconds>& times, const std::vector<std::size_t>& firsts) {
  double most = 0;
  for (std::size_t run = 0; run < firsts.size(); ++run) {
    const std::size_t end = run + 1 < firsts.size() ? firsts[run + 1] : times.size();
    EXPECT_LT(firsts[run], end) << "an empty run";
    double sum = 0;
    for (std::size_t i = firsts[run]; i < end; ++i) sum += times[i].value;
    most = std::max(most, sum);
  }
  return most;
}

// 5 + 1 | 1 + 1 + 4 | 4
TEST(SplitEvenly, CutsWhereTheLongestStageIsShortest) {
  const std::vector<Seconds> times = {Seconds{5}, Seconds{1}, Seconds{1}, Seconds{1}, Seconds{4}, Seconds{4}};
  EXPECT_EQ(longest(times, split_evenly(times, 3)), 6);
}

struct SmallestLongest {
  const std::vector<double>& sums;

  [[nodiscard]] double work(const Run& run) const { return sums[run.end] - sums[run.first]; }
  [[nodiscard]] static bool stop(double work, double best) { return work >= best; }
  [[nodiscard]] static bool allows(const Run&) { return true; }
  [[nodiscard]] static double join(double before, const Run&, double work) { return std::max(before, work); }
};

TEST(SplitEvenly, IsAsGoodAsTheDynamicProgramme) {
  Rng rng(11);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t layers = 1 + static_cast<std::size_t>(30 * rng.uniform());
    const std::size_t stages = 1 + static_cast<std::size_t>(static_cast<double>(layers) * rng.uniform());
    std::vector<Seconds> times;
    for (std::size_t i = 0; i < layers; ++i) {
      const double draw = rng.uniform();
      times.emplace_back(draw < 0.2 ? 0 : draw);  // operators that take no time are common
    }
    std::vector<double> sums = {0};
    for (const Seconds time : times) sums.push_back(sums.back() + time.value);
    const auto fast = split_evenly(times, stages);
    ASSERT_EQ(fast.size(), stages);
    EXPECT_NEAR(longest(times, fast), longest(times, cut_chain(layers, stages, SmallestLongest{sums})), 1e-6);
  }
}

TEST(SplitEvenly, HasNoAnswerForMoreStagesThanLayers) {
  const std::vector<Seconds> times(3, Seconds{1});
  EXPECT_TRUE(split_evenly(times, 4).empty());
  EXPECT_TRUE(split_evenly(times, 0).empty());
}

}  // namespace
}  // namespace sextant::parallel
