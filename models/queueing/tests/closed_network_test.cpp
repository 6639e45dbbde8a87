#include "sextant/queueing/closed_network.h"

#include <gtest/gtest.h>

#include <numeric>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::queueing {
namespace {

using sextant::test::error_of;

ClosedNetwork two_queues() {
  return {{{"cpu", Seconds{0.5}}, {"disk", Seconds{0.3}}}, Seconds{2}};
}

std::vector<std::int64_t> up_to(std::int64_t n) {
  std::vector<std::int64_t> populations(static_cast<std::size_t>(n));
  std::iota(populations.begin(), populations.end(), 1);
  return populations;
}

TEST(ClosedNetwork, WorkedExample) {
  const auto r = solve_closed(two_queues(), up_to(5));
  const double throughput[] = {0.3571, 0.6846, 0.9772, 1.2305, 1.4413};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(r[i].throughput.value, throughput[i], 5e-5) << i;
  EXPECT_NEAR(r[3].stations[0].residence.value, 0.8429, 5e-5);
  EXPECT_NEAR(r[3].stations[1].residence.value, 0.4079, 5e-5);
  EXPECT_NEAR(r[3].stations[0].in_station, 1.0371, 5e-5);
  EXPECT_NEAR(r[3].stations[1].in_station, 0.5020, 5e-5);
  EXPECT_NEAR(knee(two_queues()), 5.6, 1e-12);
  EXPECT_EQ(bottleneck(two_queues()), 0U);
}

TEST(ClosedNetwork, StaysWithinItsBoundsAndReachesThem) {
  Rng rng = Rng(3).stream("networks");
  for (int i = 0; i < 40; ++i) {
    ClosedNetwork network;
    network.think = Seconds{3 * rng.uniform()};
    for (int k = 0; k < 3; ++k) {
      const double demand = 0.1 + rng.uniform();
      const auto servers = static_cast<std::int64_t>(1 + rng.below(3));
      network.stations.push_back({"s" + std::to_string(k), Seconds{demand}, StationKind::queue, servers});
    }
    network.stations[2].kind = StationKind::delay;
    const auto results = solve_closed(network, {1, 2, 5, 20, 300});
    double last = 0;
    for (const auto& r : results) {
      EXPECT_LE(r.throughput.value, r.bounds.throughput.value * (1 + 1e-9));
      EXPECT_GE(r.response.value, r.bounds.response.value * (1 - 1e-9));
      EXPECT_GE(r.throughput.value, last) << "more users, no less throughput";
      last = r.throughput.value;
      double users = r.throughput.value * network.think.value;
      for (const auto& s : r.stations) users += s.in_station;
      EXPECT_NEAR(users, static_cast<double>(r.population), 1e-8 * users);
    }
    EXPECT_NEAR(results[0].throughput.value, results[0].bounds.throughput.value, 1e-9 * last);
    EXPECT_NEAR(last, results.back().bounds.throughput.value, 0.02 * last);
  }
}

// Reiser's recursion for one station of c servers with think time, written out; stable at this load.
std::vector<double> load_dependent_mva(double demand, std::size_t c, double think, std::size_t users) {
  std::vector<double> throughput;
  std::vector<double> p = {1};  // probability of j users at the station
  for (std::size_t n = 1; n <= users; ++n) {
    double residence = 0;
    for (std::size_t j = 1; j <= n; ++j) {
      residence += static_cast<double>(j) * demand / static_cast<double>(std::min(j, c)) * p[j - 1];
    }
    const double x = static_cast<double>(n) / (think + residence);
    std::vector<double> next(n + 1);
    double sum = 0;
    for (std::size_t j = n; j >= 1; --j) {
      next[j] = x * demand / static_cast<double>(std::min(j, c)) * p[j - 1];
      sum += next[j];
    }
    next[0] = 1 - sum;
    p = next;
    throughput.push_back(x);
  }
  return throughput;
}

TEST(ClosedNetwork, SeveralServersAgreeWithLoadDependentAnalysis) {
  const ClosedNetwork network{{{"gpus", Seconds{1.5}, StationKind::queue, 3}}, Seconds{4}};
  const auto expected = load_dependent_mva(1.5, 3, 4, 12);
  const auto results = solve_closed(network, up_to(12));
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(results[i].throughput.value, expected[i], 1e-9) << i + 1;
    EXPECT_NEAR(results[i].stations[0].utilisation, expected[i] * 0.5, 1e-9);
  }
}

TEST(ClosedNetwork, SeveralServersStayExactFarBeyondTheKnee) {
  const ClosedNetwork network{{{"gpus", Seconds{8}, StationKind::queue, 16}, {"disk", Seconds{0.4}}},
                              Seconds{10}};
  const auto r = solve_closed(network, {2000}).front();
  EXPECT_NEAR(r.throughput.value, 2, 1e-6);
  EXPECT_NEAR(r.stations[0].utilisation, 1, 1e-6);
  EXPECT_NEAR(r.stations[1].utilisation, 0.8, 1e-6);
}

TEST(ClosedNetwork, OneServerIsTheSameByBothMethods) {
  // A second queue of two servers with no demand switches the method, and changes nothing.
  ClosedNetwork padded = two_queues();
  padded.stations.push_back({"unused", Seconds{0}, StationKind::queue, 2});
  const auto plain = solve_closed(two_queues(), up_to(30));
  const auto other = solve_closed(padded, up_to(30));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_NEAR(plain[i].throughput.value, other[i].throughput.value, 1e-10);
    EXPECT_NEAR(plain[i].stations[0].in_station, other[i].stations[0].in_station, 1e-9);
  }
}

TEST(ClosedNetwork, SeidmannIsCloseAndExactAtBothEnds) {
  ClosedNetwork network{{{"gpus", Seconds{1.5}, StationKind::queue, 3}}, Seconds{4}};
  const auto exact = solve_closed(network, {1, 8, 500});
  network.multi_server = MultiServer::seidmann;
  const auto seidmann = solve_closed(network, {1, 8, 500});
  EXPECT_NEAR(seidmann[0].throughput.value, exact[0].throughput.value, 1e-12);
  EXPECT_NEAR(seidmann[1].throughput.value, exact[1].throughput.value, 0.06 * exact[1].throughput.value);
  EXPECT_NE(seidmann[1].throughput.value, exact[1].throughput.value);
  EXPECT_NEAR(seidmann[2].throughput.value, exact[2].throughput.value, 1e-6);
}

TEST(ClosedNetwork, ADelayStationIsThinking) {
  const ClosedNetwork delay{{{"cpu", Seconds{0.5}}, {"net", Seconds{2}, StationKind::delay}}, Seconds{0}};
  const ClosedNetwork think{{{"cpu", Seconds{0.5}}}, Seconds{2}};
  const auto a = solve_closed(delay, {7}).front();
  const auto b = solve_closed(think, {7}).front();
  EXPECT_NEAR(a.throughput.value, b.throughput.value, 1e-12);
  EXPECT_NEAR(a.response.value, b.response.value + 2, 1e-12);
}

TEST(ClosedNetwork, PopulationsComeInTheOrderAsked) {
  const auto r = solve_closed(two_queues(), {5, 1, 5});
  EXPECT_EQ(r[0].population, 5);
  EXPECT_EQ(r[1].population, 1);
  EXPECT_EQ(r[2].throughput, r[0].throughput);
  EXPECT_TRUE(solve_closed(two_queues(), {}).empty());
}

TEST(ClosedNetwork, BadInput) {
  const auto with = [](Seconds demand, std::int64_t servers, std::int64_t n) {
    return error_of([&] { solve_closed({{{"s", demand, StationKind::queue, servers}}, Seconds{0}}, {n}); });
  };
  EXPECT_EQ(with(Seconds{1}, 1, 1), "no error");
  EXPECT_NE(with(Seconds{-1}, 1, 1), "no error");
  EXPECT_NE(with(Seconds{0}, 1, 1).find("nothing takes time"), std::string::npos);
  EXPECT_NE(with(Seconds{1}, 0, 1), "no error");
  EXPECT_NE(with(Seconds{1}, 1, 0), "no error");
  EXPECT_NE(with(Seconds{1}, 2, 100'000).find("Seidmann"), std::string::npos);
  EXPECT_NE(with(Seconds{1}, 1, 2'000'000), "no error");
  EXPECT_NE(error_of([] { solve_closed({}, {1}); }), "no error");
  ClosedNetwork huge{{{"a", Seconds{1e308}}, {"b", Seconds{1e308}}}, Seconds{0}};
  EXPECT_NE(error_of([&] { solve_closed(huge, {1}); }), "no error");
}

}  // namespace
}  // namespace sextant::queueing
