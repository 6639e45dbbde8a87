#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "allox_match.h"
#include "assignment.h"
#include "sextant/core/rng.h"
#include "sextant/schedule/policy.h"

namespace sextant::schedule {
namespace {

using testing::ElementsAre;

double cost_of(const std::vector<std::vector<double>>& cost, const std::vector<std::size_t>& column) {
  double sum = 0;
  for (std::size_t r = 0; r < cost.size(); ++r) sum += cost[r][column[r]];
  return sum;
}

std::vector<std::size_t> assign(const std::vector<std::vector<double>>& cost) {
  return assign_rows(cost.size(), cost.front().size(),
                     [&](std::size_t r, std::size_t c) { return cost[r][c]; });
}

// Against every way to assign.
TEST(Assignment, IsTheCheapest) {
  Rng rng = Rng(11).stream("assignment");
  for (int run = 0; run < 200; ++run) {
    const std::size_t rows = 1 + rng.below(5);
    const std::size_t columns = rows + rng.below(3);
    std::vector<std::vector<double>> cost(rows, std::vector<double>(columns));
    for (auto& row : cost) {
      for (double& value : row) value = static_cast<double>(rng.below(20));
    }
    std::vector<std::size_t> permutation(columns);
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    double least = cost_of(cost, permutation);
    while (std::ranges::next_permutation(permutation).found)
      least = std::min(least, cost_of(cost, permutation));
    const std::vector<std::size_t> found = assign(cost);
    EXPECT_DOUBLE_EQ(cost_of(cost, found), least);
    std::vector<std::size_t> sorted = found;
    std::ranges::sort(sorted);
    EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end()) << "a column twice";
  }
}

// Worked example: seconds on GPU 2, 4, 6, on CPU 6, 5, 20. Job 1 on the CPU, jobs 0 then 2 on the GPU: 2 + 5
// + (2 + 6) = 15 s in all; shortest first on the GPU alone 2 + 6 + 12 = 20 s.
TEST(Allox, WorkedExample) {
  const std::vector<std::vector<double>> rate = {{1.0 / 2, 1.0 / 6}, {1.0 / 4, 1.0 / 5}, {1.0 / 6, 1.0 / 20}};
  std::vector<AlloxJob> jobs;
  for (std::size_t j = 0; j < rate.size(); ++j)
    jobs.push_back({.index = j, .remaining = 1, .rate = rate[j].data()});
  std::vector<std::pair<std::size_t, std::size_t>> starts;
  for (const AlloxStart& start : allox_match(jobs, {0, 1})) starts.emplace_back(start.job, start.type);
  EXPECT_THAT(starts, ElementsAre(std::pair(0, 0), std::pair(1, 1)));
}

// On machines of one type the matching starts the shortest jobs, which the closed form says too.
TEST(Allox, OneTypeMeansShortestFirst) {
  Rng rng = Rng(5).stream("allox");
  const std::vector<double> rate = {1.0};
  for (int run = 0; run < 100; ++run) {
    std::vector<AlloxJob> jobs;
    const std::size_t count = 1 + rng.below(12);
    for (std::size_t j = 0; j < count; ++j)
      jobs.push_back({.index = j, .remaining = 1 + rng.uniform() * 100, .rate = rate.data()});
    const std::size_t machines = 1 + rng.below(4);
    const auto total = [&](const std::vector<AlloxStart>& starts) {
      double sum = 0;
      for (const AlloxStart& start : starts) sum += jobs[start.job].remaining;
      return sum;
    };
    const auto shortest = allox_shortest(jobs, 0, machines);
    const auto matched = allox_match(jobs, std::vector<std::size_t>(machines, 0));
    EXPECT_EQ(shortest.size(), std::min(machines, count));
    // The matching may put a longer job of the level below first where a machine has one job less.
    EXPECT_LE(total(shortest), total(matched) + 1e-9);
  }
}

TEST(Allox, QueueFormStartsGangsWhereTheyFit) {
  const PolicyChoice choice = parse_policy("allox");
  const auto policy = choice.policy->queue({.parameters = choice.parameters});
  const std::vector<double> rate = {2.0, 1.0};
  std::vector<TypeView> types = {{.name = "a", .gpus = 4, .free = 4}, {.name = "b", .gpus = 3, .free = 3}};
  std::vector<JobView> jobs;
  for (const std::int32_t gpus : {4, 2, 1, 8}) {
    jobs.push_back({.id = static_cast<std::int64_t>(jobs.size()),
                    .gpus = gpus,
                    .work = 10,
                    .rate = rate.data(),
                    .remaining = 10});
  }
  const std::vector<JobSlot> arrived = {0, 1, 2, 3};
  Decision decision;
  policy->decide({.now_s = 0, .types = types, .jobs = jobs, .arrived = arrived, .ended = {}, .lost = {}},
                 decision);
  // The gang of four takes all of a; two and one share b; eight fit nowhere.
  std::vector<std::pair<JobSlot, std::int32_t>> starts;
  for (const Start& start : decision.start) starts.emplace_back(start.job, start.type);
  EXPECT_THAT(starts, ElementsAre(std::pair(0, 0), std::pair(1, 1), std::pair(2, 1)));
}

}  // namespace
}  // namespace sextant::schedule
