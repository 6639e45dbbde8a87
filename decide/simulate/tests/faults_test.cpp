// The contract of every fault: rate as stated, rate zero changes nothing, and nodes have streams of their
// own.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "error_of.h"
#include "sextant/core/plugin_text.h"
#include "sextant/simulate/fault.h"

namespace sextant::simulate {
namespace {

std::unique_ptr<FaultProcess> make(const std::string& text, std::int64_t nodes, std::uint64_t seed = 1) {
  const PluginText parts = split_plugin_text(text);
  const FaultInfo& info = faults().get(parts.id);
  return info.make(
      {.parameters = parameters_of(info, parts), .nodes = nodes, .rng = Rng(seed).stream("faults")});
}

struct Moments {
  double up = 0;  // mean
  double down = 0;
  double up_square = 0;
};

Moments moments(const std::string& text, int outages) {
  const auto process = make(text, 1);
  Moments sums;
  double now = 0;
  for (int i = 0; i < outages; ++i) {
    const Outage outage = process->next(0, now);
    const double up = outage.at_s - now;
    sums.up += up / outages;
    sums.up_square += up * up / outages;
    sums.down += (outage.until_s - outage.at_s) / outages;
    now = outage.until_s;
  }
  return sums;
}

constexpr int kOutages = 40000;

TEST(Faults, EveryFaultKeepsItsStatedMeanTime) {
  for (const FaultInfo& info : faults().all()) {
    const auto process = make(info.id, 1);
    double up = 0;
    double now = 0;
    for (int i = 0; i < kOutages; ++i) {
      const Outage outage = process->next(0, now);
      ASSERT_GE(outage.at_s, now);
      ASSERT_GE(outage.until_s, outage.at_s);
      up += outage.at_s - now;
      now = outage.until_s;
    }
    // Five standard errors of a mean of exponential times; no default varies more.
    EXPECT_NEAR(up / kOutages / process->mean_time_between_s(), 1, 5 / std::sqrt(kOutages)) << info.id;
  }
}

TEST(Faults, CrashKeepsItsMeansForEveryShape) {
  for (const double shape : {0.7, 1.0, 3.0}) {
    const Moments got = moments(
        "crash:mtbf=1d:mttr=30min:shape=" + number_text(shape) + ":repair-shape=" + number_text(shape),
        kOutages);
    // Second moment of a Weibull: Gamma(1 + 2/k) / Gamma(1 + 1/k)^2 times the squared mean.
    const double second = std::tgamma(1 + 2 / shape) / std::pow(std::tgamma(1 + 1 / shape), 2);
    const double error = 5 * std::sqrt((second - 1) / kOutages);
    EXPECT_NEAR(got.up / 86400, 1, error) << shape;
    EXPECT_NEAR(got.down / 1800, 1, error) << shape;
    EXPECT_NEAR(got.up_square / (86400.0 * 86400.0) / second, 1, 0.1) << shape;
  }
}

TEST(Faults, ZeroRateNeverFails) {
  for (const char* text : {"crash:mtbf=0", "crash:mtbf=inf"}) {
    const auto process = make(text, 3);
    EXPECT_TRUE(std::isinf(process->next(2, 5).at_s)) << text;
    EXPECT_TRUE(std::isinf(process->mean_time_between_s())) << text;
  }
}

TEST(Faults, NodesAndSeedsHaveStreamsOfTheirOwn) {
  const auto one = make("crash", 4);
  const auto other = make("crash", 8);
  // Neither the order of questions nor the number of nodes moves a node's outages.
  const Outage third = one->next(3, 0);
  const Outage first = one->next(0, 0);
  EXPECT_EQ(other->next(0, 0).at_s, first.at_s);
  EXPECT_EQ(other->next(3, 0).at_s, third.at_s);
  EXPECT_NE(first.at_s, third.at_s);
  EXPECT_NE(make("crash", 4, 2)->next(0, 0).at_s, first.at_s);
}

TEST(Faults, RepairWithoutTime) {
  const Outage outage = make("crash:mttr=0", 1)->next(0, 0);
  EXPECT_EQ(outage.at_s, outage.until_s);
}

TEST(Faults, WrongParametersAreRefused) {
  for (const char* text :
       {"crash:mtbf=0.5", "crash:mtbf=-1", "crash:shape=0", "crash:mtbf=nan", "crash:mttr=inf"}) {
    EXPECT_THROW((void)make(text, 1), InputError) << text;
  }
}

}  // namespace
}  // namespace sextant::simulate
