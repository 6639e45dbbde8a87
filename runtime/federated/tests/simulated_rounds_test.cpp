// Rounds without training: against rounds that were made, and against times that can be followed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "federation_threads.h"
#include "sextant/federated/availability_trace.h"
#include "sextant/federated/population.h"
#include "sextant/federated/simulate_rounds.h"
#include "shared_resource.h"
#include "temporary_folder.h"

namespace sextant::federated::test {
namespace {

using events::nanos_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<RoundNote> made_rounds(const Federation& federation, std::int64_t samples) {
  const TemporaryFolder folder;
  return run_in_threads(federation, {.samples = samples, .state = folder.path()});
}

std::vector<SimulatedRound> simulated(const Federation& federation, std::int64_t samples) {
  std::vector<std::int64_t> sizes;
  for (const auto& share : drawn_data(federation, samples).shares) sizes.push_back(std::ssize(share));
  return simulate_rounds(federation, {.samples = sizes, .model_bytes = 21 * 4});
}

void expect_alike(const Federation& federation, const std::string& what) {
  const std::vector<RoundNote> rounds = made_rounds(federation, 400);
  const std::vector<SimulatedRound> without = simulated(federation, 400);
  ASSERT_EQ(without.size(), rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_EQ(without[i].answered, std::ssize(rounds[i].answered)) << what << ", round " << i + 1;
    EXPECT_EQ(without[i].late, std::ssize(rounds[i].late)) << what << ", round " << i + 1;
    EXPECT_EQ(without[i].dropped, std::ssize(rounds[i].dropped)) << what << ", round " << i + 1;
    EXPECT_NEAR(without[i].seconds, rounds[i].client_seconds, 1e-8) << what << ", round " << i + 1;
  }
}

Federation slow_federation() {
  Federation federation = small_federation();
  federation.clients = 20;
  federation.per_round = 8;
  federation.rounds = 6;
  federation.sampler = "dirichlet:alpha=0.5";
  federation.speed = "lognormal:median=20:sigma=0.8";
  federation.bandwidth = "lognormal:median=200:sigma=0.8";
  federation.drop_out = 0.1;
  return federation;
}

std::string write_trace(const TemporaryFolder& folder, const std::string& text) {
  const std::string file = (folder.path() / "trace.csv").string();
  std::ofstream(file) << text;
  return file;
}

TEST(SimulatedRounds, AreThoseThatAreMadeWhereTheServersLinkHasNoEnd) {
  for (const double deadline : {0.0, 2.0}) {
    for (const double over : {0.0, 0.5}) {
      for (const char* strategy : {"fedavg", "tifl:tiers=2"}) {
        Federation federation = slow_federation();
        federation.available = 0.9;
        federation.deadline_s = deadline;
        federation.over_select = over;
        federation.strategy = strategy;
        expect_alike(federation,
                     std::string(strategy) + (deadline > 0 ? ", deadline" : "") + (over > 0 ? ", over" : ""));
      }
    }
  }
}

TEST(SimulatedRounds, AreThoseThatAreMadeWhereClientsComeAndGo) {
  const TemporaryFolder folder;
  std::string text = "client,from_s,to_s\n";
  for (int client = 0; client < 20; ++client) {
    text += std::to_string(client) + "," + std::to_string(client % 7) + "," + std::to_string(client % 7 + 3) +
            "\n";
  }
  Federation federation = slow_federation();
  federation.rounds = 12;
  federation.availability_trace = write_trace(folder, text);
  expect_alike(federation, "trace");
  std::int64_t dropped = 0;
  for (const SimulatedRound& round : simulated(federation, 400)) dropped += round.dropped;
  federation.availability_trace.clear();
  std::int64_t dropped_without = 0;
  for (const SimulatedRound& round : simulated(federation, 400)) dropped_without += round.dropped;
  EXPECT_GT(dropped, dropped_without);  // some leave before they are ready
}

TEST(SimulatedRounds, BeginWhenAnybodyIsThere) {
  const TemporaryFolder folder;
  Federation federation = small_federation();
  federation.clients = 2;
  federation.rounds = 3;
  federation.sizes.batch = 10;
  federation.speed = "constant:value=10";
  federation.bandwidth = "constant:value=1e12";
  // Ten samples take 1 s. Client 0 is there from 2 to 4, client 1 from 5 to 6.5; after 6.5 s all begins anew.
  federation.availability_trace = write_trace(folder, "client,from_s,to_s\n1,5,6.5\n0,2,4\n");
  const auto rounds = simulate_rounds(federation, {.samples = {10, 10}});
  EXPECT_NEAR(rounds[0].seconds, 3, 1e-8);  // 2 s until client 0 is there
  EXPECT_NEAR(rounds[1].seconds, 1, 1e-8);  // from 3 to 4
  EXPECT_NEAR(rounds[2].seconds, 2, 1e-8);  // client 1, from 5
  EXPECT_EQ(rounds[2].answered, 1);
}

TEST(SimulatedRounds, LastUntilTheLastOneIsGoneWhereNobodyAnswers) {
  const TemporaryFolder folder;
  Federation federation = small_federation();
  federation.clients = 2;
  federation.rounds = 3;
  federation.sizes.batch = 15;
  federation.speed = "constant:value=10";
  federation.bandwidth = "constant:value=1e12";
  // Both need 1.5 s and stay for 1 s: client 0 from 0, client 1 from 2, then anew from 3 on.
  federation.availability_trace = write_trace(folder, "client,from_s,to_s\n0,0,1\n1,2,3\n");
  const auto rounds = simulate_rounds(federation, {.samples = {15, 15}});
  EXPECT_NEAR(rounds[0].seconds, 1, 1e-8);
  EXPECT_NEAR(rounds[1].seconds, 2, 1e-8);
  EXPECT_NEAR(rounds[2].seconds, 1, 1e-8);
  EXPECT_EQ(rounds[2].dropped, 1);
}

TEST(SimulatedRounds, ShareTheServersLink) {
  Federation federation = small_federation();
  federation.clients = 3;
  federation.rounds = 1;
  federation.sizes.batch = 10;
  federation.speed = "given:values=10/10/5";
  federation.bandwidth = "constant:value=1e9";
  // 100 bytes at 100 B/s: three at once arrive after 3 s. Ten samples take 1, 1 and 2 s. Two updates go from
  // 4 s on, 50 bytes each until the third joins them at 5 s; they have theirs sent at 6.5 s, when that one
  // has sent 50 bytes, and the rest takes half a second. The server takes half a second more.
  const auto rounds = simulate_rounds(
      federation, {.samples = {10, 10, 10}, .model_bytes = 100, .server_bytes_per_s = 100, .server_s = 0.5});
  EXPECT_NEAR(rounds[0].seconds, 7.5, 1e-8);
}

TEST(SimulatedRounds, ShareProcessesAndCores) {
  Federation federation = small_federation();
  federation.clients = 4;
  federation.rounds = 1;
  federation.sizes.batch = 10;
  federation.speed = "constant:value=10";
  federation.bandwidth = "constant:value=100";
  RoundCosts costs{.samples = {10, 10, 10, 10}, .model_bytes = 100, .hosts = 2};
  // The model takes 1 s to each process. The first client trains until 2 s; the second one meanwhile its
  // update goes, 2 to 3 s; then its own goes, 3 to 4 s.
  EXPECT_NEAR(simulate_rounds(federation, costs)[0].seconds, 4, 1e-8);
  // On one core both first clients take until 3 s, both second ones until 5 s.
  costs.cores = 1;
  EXPECT_NEAR(simulate_rounds(federation, costs)[0].seconds, 6, 1e-8);
}

TEST(SimulatedRounds, EndWithTheLastUpdateThatIsNeeded) {
  Federation federation = small_federation();
  federation.clients = 4;
  federation.rounds = 1;
  federation.per_round = 2;
  federation.over_select = 1;
  federation.sizes.batch = 10;
  federation.speed = "given:values=1/2/5/10";
  federation.bandwidth = "constant:value=1e12";
  const auto rounds = simulate_rounds(federation, {.samples = {10, 10, 10, 10}});
  EXPECT_NEAR(rounds[0].seconds, 2, 1e-8);  // of 10, 5, 2 and 1 s the second
  EXPECT_EQ(rounds[0].answered, 2);
  EXPECT_EQ(rounds[0].late, 2);
}

TEST(SharedResource, GivesEachItsOwnRateWhereItIsBelowTheFairOne) {
  SharedResource link(10);
  link.add(1, 10, 1, 0);   // 1 B/s of its own: until 10 s
  link.add(2, 45, 50, 0);  // shares 9 B/s
  link.add(3, 45, 50, 0);  // 4.5 B/s each: until 10 s
  EXPECT_EQ(link.next(), nanos_of(10));
  EXPECT_THAT(link.take_done(nanos_of(10)), testing::UnorderedElementsAre(1, 2, 3));
  link.add(4, 30, 6, 20);  // 6 B/s, and 5 from 22 s on; 18 are left
  EXPECT_EQ(link.next(), nanos_of(25));
  EXPECT_TRUE(link.take_done(nanos_of(22)).empty());
  link.add(5, 10, 8, 22);  // 5 B/s: done at 24 s, when the other has 8 left
  EXPECT_THAT(link.take_done(nanos_of(24)), ElementsAre(5));
  EXPECT_NEAR(events::seconds_of(link.next()), 24 + 8.0 / 6, 1e-8);
}

// However rates and times are drawn: as much is done as was asked for, never faster than allowed, and the
// link is never idle without need.
TEST(SharedResource, DoesAllWorkAndNoMore) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng = Rng(seed).stream("uses");
    SharedResource link(5);
    double asked = 0;
    double least_end = 0;  // at its own rate
    double now = 0;
    std::size_t done = 0;
    for (std::int64_t user = 0; user < 50; ++user) {
      const double amount = 1 + 10 * rng.uniform();
      const double rate = 0.1 + 3 * rng.uniform();
      now += 0.2 * rng.uniform();
      done += link.take_done(nanos_of(now)).size();
      link.add(user, amount, rate, now);
      asked += amount;
      least_end = std::max(least_end, now + amount / rate);
    }
    double end = now;
    while (link.next() != events::kEndless) {
      end = events::seconds_of(link.next());
      done += link.take_done(link.next()).size();
    }
    EXPECT_EQ(done, 50U);
    EXPECT_GE(end, asked / 5 - 1e-6);
    EXPECT_GE(end, least_end - 1e-6);
    // Idle only while nobody can use more: before the last came, or for the slow ones at the end.
    EXPECT_LE(end, now + asked / 5 + 11 / 0.1);
  }
}

AvailabilityTrace trace_of(const std::string& lines) {
  return AvailabilityTrace::parse("client,from_s,to_s\n" + lines, "trace.csv");
}

TEST(AvailabilityTrace, BeginsAnewAfterItsLastMoment) {
  const AvailabilityTrace trace = trace_of("0,0,10\n0,20,30\n1,5,15\n3,0,30\n1,10,25\n");
  EXPECT_EQ(trace.clients(), 4);
  EXPECT_TRUE(trace.there(0, nanos_of(9)));
  EXPECT_FALSE(trace.there(0, nanos_of(10)));
  EXPECT_EQ(trace.next(0, nanos_of(10)), nanos_of(20));
  EXPECT_EQ(trace.until(1, nanos_of(6)), nanos_of(25));   // two stays that overlap
  EXPECT_EQ(trace.until(0, nanos_of(25)), nanos_of(40));  // over the end
  EXPECT_EQ(trace.next(1, nanos_of(26)), nanos_of(35));
  EXPECT_TRUE(trace.there(0, nanos_of(31)));
  EXPECT_EQ(trace.next(2, 0), events::kEndless);
  EXPECT_EQ(trace.until(3, nanos_of(7)), events::kEndless);
}

TEST(AvailabilityTrace, SaysWhereItIsWrong) {
  const auto fault = [](const std::string& text) {
    try {
      AvailabilityTrace::parse(text, "trace.csv");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(fault("client,from_s,to_s\n0,5,5\n"), HasSubstr("trace.csv:2:5: "));
  EXPECT_THAT(fault("client,from_s,to_s\n0,5,5\n"), HasSubstr("the stay ends before it begins"));
  EXPECT_THAT(fault("client,from_s,to_s\n-1,0,5\n"), HasSubstr("trace.csv:2:1: "));
  EXPECT_THAT(fault("client,from_s,to_s\n0,-3,5\n"), HasSubstr("between 0 and 1e9 s"));
  EXPECT_THAT(fault("client,from_s,to_s\n"), HasSubstr("no line but its header"));
  EXPECT_THAT(fault("client,from_s\n0,5\n"), HasSubstr("to_s"));
  Federation federation = small_federation();
  const TemporaryFolder folder;
  federation.availability_trace = write_trace(folder, "client,from_s,to_s\n6,0,5\n");
  try {
    check_federation(federation);
    ADD_FAILURE() << "client 6 of 6 was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("has client 6, and the federation has 6 clients"));
  }
}

}  // namespace
}  // namespace sextant::federated::test
