#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sextant/core/error.h"
#include "sextant/federated/sampler.h"

namespace sextant::federated {
namespace {

std::vector<std::int64_t> drawn_labels(std::int64_t count, std::int64_t classes) {
  Rng rng(3);
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < count; ++i)
    labels.push_back(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(classes))));
  return labels;
}

std::set<std::int64_t> labels_of(const std::vector<std::int64_t>& share,
                                 const std::vector<std::int64_t>& labels) {
  std::set<std::int64_t> own;
  for (const std::int64_t sample : share) own.insert(labels[static_cast<std::size_t>(sample)]);
  return own;
}

class EverySampler : public testing::TestWithParam<std::string> {};

TEST_P(EverySampler, GivesEverySampleOnceAndTheSameWithTheSameSeed) {
  const std::vector<std::int64_t> labels = drawn_labels(1003, 10);
  for (const std::int64_t clients : {5, 17, 100}) {
    const Shares shares = share_out(GetParam(), {labels, 10}, clients, 7);
    ASSERT_EQ(std::ssize(shares), clients);
    std::vector<std::int64_t> given;
    for (const auto& share : shares) {
      EXPECT_TRUE(std::ranges::is_sorted(share));
      given.insert(given.end(), share.begin(), share.end());
    }
    std::ranges::sort(given);
    ASSERT_EQ(given.size(), labels.size());
    for (std::size_t i = 0; i < given.size(); ++i) ASSERT_EQ(given[i], static_cast<std::int64_t>(i));
    EXPECT_EQ(shares, share_out(GetParam(), {labels, 10}, clients, 7));
    EXPECT_NE(shares, share_out(GetParam(), {labels, 10}, clients, 8));
  }
}

std::vector<std::string> sampler_ids() {
  std::vector<std::string> ids;
  for (const SamplerInfo& info : samplers().all()) ids.push_back(info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Contract, EverySampler, testing::ValuesIn(sampler_ids()), [](const auto& named) {
  std::string name = named.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Samplers, IidSharesDifferByOneSampleAtMost) {
  const Shares shares = share_out("iid", {drawn_labels(1003, 10), 10}, 10, 1);
  const auto [least, most] = std::ranges::minmax(shares, {}, [](const auto& share) { return share.size(); });
  EXPECT_EQ(least.size(), 100U);
  EXPECT_EQ(most.size(), 101U);
}

// The mean over clients of the largest share that one label has: near 1/10 for a large alpha, near 1 for a
// small.
double concentration(const std::string& sampler) {
  const std::vector<std::int64_t> labels = drawn_labels(20000, 10);
  double sum = 0;
  double clients = 0;
  for (const auto& share : share_out(sampler, {labels, 10}, 50, 2)) {
    if (share.empty()) continue;
    std::vector<double> counts(10);
    for (const std::int64_t sample : share)
      ++counts[static_cast<std::size_t>(labels[static_cast<std::size_t>(sample)])];
    sum += std::ranges::max(counts) / static_cast<double>(share.size());
    ++clients;
  }
  return sum / clients;
}

TEST(Samplers, DirichletConcentratesLabelsTheMoreTheSmallerAlphaIs) {
  EXPECT_LT(concentration("dirichlet:alpha=1000"), 0.15);
  EXPECT_GT(concentration("dirichlet:alpha=0.01"), 0.8);
  const double middle = concentration("dirichlet:alpha=0.5");
  EXPECT_GT(middle, 0.25);
  EXPECT_LT(middle, 0.6);
}

TEST(Samplers, QSamplerSendsEachLabelToItsGroup) {
  const std::vector<std::int64_t> labels = drawn_labels(2000, 10);
  const Shares shares = share_out("q-sampler:q=1", {labels, 10}, 30, 2);
  for (std::size_t client = 0; client < shares.size(); ++client) {
    EXPECT_EQ(labels_of(shares[client], labels),
              std::set<std::int64_t>{static_cast<std::int64_t>(client % 10)});
  }
}

TEST(Samplers, LimitedLabelsHoldsNoMoreLabelsThanAsked) {
  const std::vector<std::int64_t> labels = drawn_labels(2000, 10);
  for (const auto& share : share_out("limited-labels:labels=3", {labels, 10}, 25, 2)) {
    EXPECT_EQ(labels_of(share, labels).size(), 3U);
  }
  EXPECT_THROW(share_out("limited-labels:labels=2", {labels, 10}, 4, 2), InputError);
  EXPECT_THROW(share_out("limited-labels:labels=11", {labels, 10}, 4, 2), InputError);
}

TEST(Samplers, NLabelsGivesAllClientsAsMuch) {
  const std::vector<std::int64_t> labels = drawn_labels(2000, 10);
  for (const auto& share : share_out("n-labels:n=2", {labels, 10}, 20, 2)) {
    EXPECT_EQ(share.size(), 100U);
    EXPECT_LE(labels_of(share, labels).size(), 4U);  // two pieces, each over at most one border
  }
}

}  // namespace
}  // namespace sextant::federated
