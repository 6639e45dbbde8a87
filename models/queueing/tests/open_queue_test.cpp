// Worked numbers, and laws that hold for all loads.
#include "sextant/queueing/open_queue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::queueing {
namespace {

using sextant::test::error_of;

Load load(double arrivals, double service, std::int64_t servers = 1) {
  return {.arrival_rate = Hertz{arrivals}, .service_time = Seconds{service}, .servers = servers};
}

Load general(Load base, double arrival_scv, double service_scv) {
  base.arrival_scv = arrival_scv;
  base.service_scv = service_scv;
  return base;
}

Load limited(Load base, std::int64_t capacity) {
  base.capacity = capacity;
  return base;
}

void expect_little(const QueueResult& r) {
  EXPECT_NEAR(r.in_system, r.throughput.value * r.response.value, 1e-9 * r.in_system) << r.model;
  EXPECT_NEAR(r.in_queue, r.throughput.value * r.waiting.value, 1e-9 * r.in_system) << r.model;
  EXPECT_NEAR(r.in_system - r.in_queue, r.utilisation * static_cast<double>(r.load.servers),
              1e-9 * r.in_system)
      << r.model;
}

TEST(MM1, WorkedExample) {
  const QueueResult r = mm1(load(0.8, 1));
  EXPECT_DOUBLE_EQ(r.utilisation, 0.8);
  EXPECT_NEAR(r.in_system, 4, 1e-12);
  EXPECT_NEAR(r.response.value, 5, 1e-12);
  EXPECT_NEAR(r.waiting.value, 4, 1e-12);
  EXPECT_NEAR(r.response_quantiles->p95.value, std::log(20) / 0.2, 1e-9);
  EXPECT_NEAR(r.response_quantiles->p95.value, 14.979, 5e-4);
  EXPECT_NEAR(r.response_quantiles->p50.value, std::log(2) / 0.2, 1e-9);
  // P(W > t) = rho e^-(mu - lambda) t: 5 % at ln(0.8 / 0.05) / 0.2.
  EXPECT_NEAR(r.waiting_quantiles->p95.value, std::log(16) / 0.2, 1e-9);
}

TEST(MMc, WorkedExample) {
  EXPECT_NEAR(erlang_b(4, 3), 0.206107, 5e-7);
  EXPECT_NEAR(erlang_c(4, 3), 0.509434, 5e-7);
  const QueueResult r = mmc(load(3, 1, 4));
  EXPECT_NEAR(r.response.value, 1.509434, 5e-7);
  EXPECT_NEAR(r.in_system, 4.5283, 5e-5);
  // c mu - lambda = mu here, so those that wait have an Erlang-2 response: P(R > t) = e^-t (1 + C t).
  const double t = r.response_quantiles->p95.value;
  EXPECT_NEAR(std::exp(-t) * (1 + erlang_c(4, 3) * t), 0.05, 1e-12);
}

TEST(MMc, QuantilesOfTheResponseInvertItsDistribution) {
  for (const double arrivals : {0.5, 3.0, 3.97}) {  // spare capacity above, at and below mu
    const QueueResult r = mmc(load(arrivals, 1, 4));
    const double c = r.wait_probability;
    const double spare = 4 - arrivals;
    if (spare == 1) continue;
    const double t = r.response_quantiles->p99.value;
    const double tail =
        (1 - c) * std::exp(-t) + c * (spare * std::exp(-t) - std::exp(-spare * t)) / (spare - 1);
    EXPECT_NEAR(tail, 0.01, 1e-10) << arrivals;
  }
}

TEST(MG1, WorkedExamples) {
  EXPECT_NEAR(mg1(general(load(0.8, 1), 1, 0.25)).waiting.value, 2.5, 1e-12);
  EXPECT_NEAR(mg1(general(load(0.8, 1), 1, 0)).waiting.value, 2.0, 1e-12);
  EXPECT_EQ(mg1(load(0.8, 1)).response_quantiles, std::nullopt);
}

TEST(GGc, WorkedExample) {
  const QueueResult r = ggc(general(load(3, 1, 4), 2.0 / 3, 1.5));
  EXPECT_NEAR(r.waiting.value, 0.5519, 5e-5);
  EXPECT_EQ(r.standing, Standing::approximate);
  // Kingman with one server: rho / (1 - rho) * (ca2 + cs2) / 2 * S.
  EXPECT_NEAR(ggc(general(load(0.8, 1), 0.5, 0.25)).waiting.value, 4 * 0.375, 1e-12);
}

TEST(MMcK, HandComputedChain) {
  // c = 1, K = 2, a = 1: three states of weight 1.
  const QueueResult r = mmck(limited(load(1, 1), 2));
  EXPECT_NEAR(r.loss, 1.0 / 3, 1e-12);
  EXPECT_NEAR(r.in_system, 1, 1e-12);
  EXPECT_NEAR(r.in_queue, 1.0 / 3, 1e-12);
  EXPECT_NEAR(r.utilisation, 2.0 / 3, 1e-12);
  EXPECT_NEAR(r.wait_probability, 0.5, 1e-12);
  expect_little(r);
}

TEST(MMcK, LimitsAreErlangBAndMMc) {
  EXPECT_NEAR(mmck(limited(load(3, 1, 4), 4)).loss, erlang_b(4, 3), 1e-12);
  const QueueResult roomy = mmck(limited(load(3, 1, 4), 2000));
  const QueueResult endless = mmc(load(3, 1, 4));
  EXPECT_NEAR(roomy.waiting.value, endless.waiting.value, 1e-9);
  EXPECT_NEAR(roomy.wait_probability, endless.wait_probability, 1e-9);
  // Far above capacity the system is full: R = K S / c.
  const QueueResult full = mmck(limited(load(1e6, 1, 4), 100));
  EXPECT_TRUE(full.stable);
  EXPECT_NEAR(full.throughput.value, 4, 1e-4);
  EXPECT_NEAR(full.response.value, 25, 1e-3);
}

TEST(OpenQueue, OneServerAndExponentialServiceAreTheSameQueue) {
  for (const double rho : {0.01, 0.5, 0.8, 0.99, 0.9999}) {
    const QueueResult one = mm1(load(rho, 1));
    for (const QueueResult& same : {mmc(load(rho, 1)), mg1(load(rho, 1)), ggc(load(rho, 1))}) {
      EXPECT_NEAR(same.waiting.value, one.waiting.value, 1e-9 * one.waiting.value) << same.model << rho;
      EXPECT_NEAR(same.in_system, one.in_system, 1e-9 * one.in_system) << same.model;
      EXPECT_NEAR(same.waiting_quantiles->p99.value, one.waiting_quantiles->p99.value,
                  1e-9 * one.waiting_quantiles->p99.value)
          << same.model;
    }
    EXPECT_NEAR(mmc(load(rho, 1)).response_quantiles->p95.value, one.response_quantiles->p95.value,
                1e-9 * one.response.value);
  }
}

TEST(OpenQueue, MoreServersNeverWaitLongerAndLittleHolds) {
  Rng rng = Rng(7).stream("loads");
  for (int i = 0; i < 300; ++i) {
    const auto servers = static_cast<std::int64_t>(1 + rng.below(40));
    const double rho = 0.999 * rng.uniform();
    Load l = load(1, rho * static_cast<double>(servers), servers);
    if (!(l.service_time.value > 0)) continue;
    l.arrival_scv = 3 * rng.uniform();
    l.service_scv = 3 * rng.uniform();
    Load more = l;
    ++more.servers;
    for (const QueueModel model : {QueueModel::mmc, QueueModel::ggc}) {
      const QueueResult few = solve(model, l);
      expect_little(few);
      EXPECT_LE(solve(model, more).waiting, few.waiting);
      EXPECT_LE(solve(model, more).waiting_quantiles->p95, few.waiting_quantiles->p95);
    }
    expect_little(mmck(limited(l, servers + 5)));
  }
}

TEST(OpenQueue, AnOverloadIsAResult) {
  for (const QueueModel model : {QueueModel::mm1, QueueModel::mmc, QueueModel::mg1, QueueModel::ggc}) {
    const QueueResult r = solve(model, load(2.5, 1));
    EXPECT_FALSE(r.stable);
    EXPECT_EQ(r.stable_servers, 3);
    EXPECT_TRUE(std::isinf(r.waiting.value));
    EXPECT_DOUBLE_EQ(r.throughput.value, 1);
    EXPECT_FALSE(r.waiting_quantiles.has_value());
  }
  EXPECT_FALSE(mm1(load(1, 1)).stable) << "exactly full is unstable too";
  EXPECT_EQ(mm1(load(1, 1)).stable_servers, 2);
  EXPECT_EQ(mm1(load(1e200, 1e200)).stable_servers, std::nullopt);
}

TEST(OpenQueue, BadLoadsAreErrors) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, 1e300, 1e-300, std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(error_of([&] { mmc(load(bad, 1)); }).find("arrival rate"), std::string::npos) << bad;
    EXPECT_NE(error_of([&] { mmc(load(1, bad)); }).find("service time"), std::string::npos) << bad;
  }
  for (const double bad : {-0.1, nan, 1e300}) {
    EXPECT_NE(error_of([&] { ggc(general(load(1, 0.5), bad, 1)); }).find("scv"), std::string::npos);
    EXPECT_NE(error_of([&] { mg1(general(load(1, 0.5), 1, bad)); }).find("scv"), std::string::npos);
  }
  EXPECT_NE(error_of([&] { mmc(load(1, 0.5, 0)); }).find("servers"), std::string::npos);
  EXPECT_NE(error_of([&] { mm1(load(1, 0.5, 2)); }).find("one server"), std::string::npos);
  EXPECT_NE(error_of([&] { mmck(load(1, 0.5, 2)); }).find("capacity"), std::string::npos);
  EXPECT_NE(error_of([&] { mmck(limited(load(1, 0.5, 2), 1)); }).find("capacity"), std::string::npos);
}

TEST(OpenQueue, ExtremeLoadsStayFinite) {
  for (const double scale : {1e-240, 1e-9, 1e9, 1e240}) {
    const QueueResult r = mmc(load(0.5 / scale, scale, 2));
    EXPECT_TRUE(std::isfinite(r.response.value)) << scale;
    EXPECT_NEAR(r.response_quantiles->p95.value / scale, mmc(load(0.5, 1, 2)).response_quantiles->p95.value,
                1e-9);
  }
  const QueueResult many = mmc(load(99'000, 1, 100'000));
  EXPECT_LT(many.wait_probability, 0.01);
  EXPECT_GT(many.wait_probability, 0);
}

}  // namespace
}  // namespace sextant::queueing
