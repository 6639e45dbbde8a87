// Which cases to time first: distinct, the same every time, and chosen without looking at any time.
#include "sextant/predict/trials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "synthetic_steps.h"

namespace sextant::predict {
namespace {

using test::pointers;
using test::synthetic_steps;

const SharedFit kShared{.coefficients = start_coefficients()};

std::vector<Observation> candidates() {
  return synthetic_steps({.batches = {2, 16, 128}, .gpus = {"t4"}}, start_coefficients());
}

std::vector<std::string> nets_of(const std::vector<Observation>& rows) {
  std::vector<std::string> nets;
  for (const Observation& row : rows) nets.push_back(row.labels.net);
  return nets;
}

TEST(Trials, ChoosesDistinctGroups) {
  const auto rows = candidates();
  const auto all = pointers(rows);
  const auto chosen = choose_trials({.candidates = all, .groups = nets_of(rows), .count = 4}, kShared);
  const auto nets = nets_of(rows);
  EXPECT_EQ(chosen.size(), 4U);
  EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), 4U);
  for (const auto& name : chosen) EXPECT_TRUE(std::set(nets.begin(), nets.end()).contains(name)) << name;
}

TEST(Trials, ChoosesNoMoreThanThereAre) {
  const auto rows = candidates();
  const auto all = pointers(rows);
  const auto nets = choose_trials({.candidates = all, .groups = nets_of(rows), .count = 50}, kShared);
  EXPECT_EQ(nets.size(), 6U);
  EXPECT_EQ(std::set(nets.begin(), nets.end()).size(), 6U);
  const auto single = choose_trials({.candidates = all, .groups = {}, .count = 50}, kShared);
  EXPECT_EQ(single.size(), rows.size());
  EXPECT_EQ(std::set(single.begin(), single.end()).size(), rows.size()) << "a case is not timed twice";
  EXPECT_TRUE(choose_trials({.candidates = {}, .groups = {}, .count = 3}, kShared).empty());
}

TEST(Trials, ChoosesTheSameEveryTimeAndFewerAreTheFirstOfMore) {
  const auto rows = candidates();
  const auto all = pointers(rows);
  const auto six = choose_trials({.candidates = all, .groups = {}, .count = 6}, kShared);
  EXPECT_EQ(choose_trials({.candidates = all, .groups = {}, .count = 6}, kShared), six);
  const auto three = choose_trials({.candidates = all, .groups = {}, .count = 3}, kShared);
  EXPECT_EQ(three, std::vector(six.begin(), six.begin() + 3));
}

TEST(Trials, NeverReadsTimes) {
  auto rows = candidates();
  const auto all = pointers(rows);
  const TrialChoice choice{.candidates = all, .groups = {}, .count = 5};
  const auto before = choose_trials(choice, kShared);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].seconds = i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i);
    rows[i].profile.fill(1e9);
  }
  EXPECT_EQ(choose_trials(choice, kShared), before);
}

// The point of it: the chosen cases tell more about the others than the same number of equal ones.
TEST(Trials, PrefersCasesThatTellAboutTheOthers) {
  auto rows = candidates();
  const std::vector<Observation> copies(5, rows[0]);
  rows.insert(rows.begin(), copies.begin(), copies.end());
  const auto all = pointers(rows);
  const auto chosen = choose_trials({.candidates = all, .groups = {}, .count = 4}, kShared);
  int of_the_copied = 0;
  for (const auto& index : chosen) of_the_copied += std::stoi(index) <= 5 ? 1 : 0;
  EXPECT_LE(of_the_copied, 1);
}

}  // namespace
}  // namespace sextant::predict
