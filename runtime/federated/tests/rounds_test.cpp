// Rounds of a server and its clients, whose processes are threads here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "federation_threads.h"
#include "sextant/core/plugin_text.h"
#include "sextant/federated/population.h"
#include "sextant/measure/thread_transport.h"
#include "sextant/measure/training_strategy.h"
#include "temporary_folder.h"

namespace sextant::federated::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<RoundNote> run_small(const Federation& federation, std::int64_t samples = 240) {
  const TemporaryFolder folder;
  return run_in_threads(federation, {.samples = samples, .state = folder.path()});
}

std::vector<double> accuracies(const std::vector<RoundNote>& rounds) {
  std::vector<double> all;
  for (const RoundNote& note : rounds) all.push_back(note.test.accuracy());
  return all;
}

std::vector<double> losses(const std::vector<RoundNote>& rounds) {
  std::vector<double> all;
  for (const RoundNote& note : rounds) all.push_back(note.test.loss);
  return all;
}

TEST(Rounds, LearnAndSayWhatWasSent) {
  const std::vector<RoundNote> rounds = run_small(small_federation());
  ASSERT_EQ(rounds.size(), 4U);
  EXPECT_GT(rounds.back().test.accuracy(), 0.8);
  EXPECT_LT(rounds.back().test.loss, rounds.front().test.loss);
  EXPECT_EQ(rounds[0].test.samples(), 300);
  EXPECT_THAT(rounds[0].answered, ElementsAre(0, 1, 2, 3, 4, 5));
  // An update is 21 values and what stands before them; the model goes once to each of two hosts.
  EXPECT_GT(rounds[0].received_bytes, 6 * 21 * 4);
  EXPECT_GT(rounds[0].sent_bytes, 2 * 21 * 4);
  EXPECT_LT(rounds[0].sent_bytes, 3 * 21 * 4 + 400);
}

TEST(Rounds, DoNotDependOnHowManyProcessesThereAre) {
  Federation federation = small_federation();
  federation.sampler = "dirichlet:alpha=0.5";
  federation.attack = "sign-flip";
  federation.attackers = 0.3;
  const std::vector<double> two = losses(run_small(federation));
  federation.hosts = 1;
  EXPECT_EQ(losses(run_small(federation)), two);
  federation.hosts = 6;
  EXPECT_EQ(losses(run_small(federation)), two);
}

TEST(Rounds, GoOnFromTheLastOneWhenTheServerIsKilled) {
  for (const char* strategy : {"fedavg", "fedadam"}) {
    Federation federation = small_federation();
    federation.strategy = strategy;
    federation.rounds = 6;
    federation.worker_momentum = 0.5;
    federation.rule = "centered-clipping";
    const std::vector<double> whole = losses(run_small(federation));
    const TemporaryFolder folder;
    const auto dies = [](std::int64_t round) {
      if (round == 3) throw SystemError("killed");
    };
    EXPECT_THROW(run_in_threads(federation, {.state = folder.path(), .finished = dies}), SystemError);
    std::vector<std::int64_t> finished;
    const std::vector<RoundNote> rest = run_in_threads(
        federation,
        {.state = folder.path(), .finished = [&](std::int64_t round) { finished.push_back(round); }});
    EXPECT_THAT(finished, ElementsAre(3, 4, 5, 6)) << strategy;
    EXPECT_EQ(losses(rest), whole) << strategy;
  }
}

TEST(Rounds, ExcludeAndNameClientsThatSendSomethingElse) {
  const std::vector<std::pair<Breakage, std::string>> cases = {
      {Breakage::nan, "no numbers"},
      {Breakage::wrong_shape, "offered 11 values, and the model has 21"},
      {Breakage::too_large, "offered 2500000000 values"},
      {Breakage::silent, "sent nothing"},
      {Breakage::foreign_id, "claimed to be client 4"},
      {Breakage::wrong_steps, "claimed samples or steps"}};
  for (const auto& [how, reason] : cases) {
    Federation federation = small_federation();
    federation.broken = {{.how = how, .client = 3, .from_round = 2}};
    const std::vector<RoundNote> rounds = run_small(federation);
    ASSERT_EQ(rounds.size(), 4U) << reason;
    EXPECT_TRUE(rounds[0].excluded.empty()) << reason;
    ASSERT_EQ(rounds[1].excluded.size(), 1U) << reason;
    EXPECT_EQ(rounds[1].excluded[0].client, 3);
    EXPECT_THAT(rounds[1].excluded[0].reason, HasSubstr(reason));
    EXPECT_THAT(rounds[1].answered, ElementsAre(0, 1, 2, 4, 5)) << reason;
    EXPECT_THAT(rounds[3].chosen, ElementsAre(0, 1, 2, 4, 5)) << reason;
    EXPECT_GT(rounds.back().test.accuracy(), 0.8) << reason;
  }
}

TEST(Rounds, SurviveWhenAllClientsAreBroken) {
  Federation federation = small_federation();
  for (std::int64_t client = 0; client < federation.clients; ++client) {
    federation.broken.push_back({.how = Breakage::silent, .client = client, .from_round = 2});
  }
  const std::vector<RoundNote> rounds = run_small(federation);
  ASSERT_EQ(rounds.size(), 4U);
  EXPECT_EQ(rounds[1].excluded.size(), 6U);
  EXPECT_EQ(rounds[3].test.loss, rounds[0].test.loss);
}

TEST(Rounds, EndWhereTheModelDivergesAndNobodyIsBlamed) {
  Federation federation = small_federation();
  federation.learning_rate = 1e30;
  EXPECT_FALSE(is_over({}, federation));
  const TemporaryFolder folder;
  for (int start = 0; start < 2; ++start) {  // what is over is not gone on with
    const std::vector<RoundNote> rounds =
        run_in_threads(federation, {.samples = 240, .state = folder.path()});
    ASSERT_EQ(rounds.size(), 1U);
    EXPECT_TRUE(rounds[0].diverged);
    EXPECT_TRUE(rounds[0].excluded.empty());
    EXPECT_TRUE(rounds[0].answered.empty());
    EXPECT_TRUE(std::isfinite(rounds[0].test.loss));
    EXPECT_TRUE(is_over(rounds, federation));
  }
}

TEST(Rounds, MedianWithstandsWhatTheMeanDoesNot) {
  Federation federation = small_federation();
  federation.clients = 10;
  federation.attack = "sign-flip:scale=10";
  federation.attackers = 0.3;
  EXPECT_LT(accuracies(run_small(federation, 400)).back(), 0.5);
  federation.rule = "median";
  EXPECT_GT(accuracies(run_small(federation, 400)).back(), 0.8);
}

// Honest clients stay where they are, so the noise is all that moves the model: neither momentum nor
// FedNova's factor may make it another.
TEST(Rounds, AttackersSendWhatTheRuleSees) {
  Federation federation = small_federation();
  federation.sampler = "dirichlet:alpha=0.5";
  federation.learning_rate = 0;
  federation.rounds = 2;
  const double untouched = losses(run_small(federation)).back();
  federation.attack = "gaussian:sd=1:around=zero";
  federation.attackers = 0.5;
  const std::vector<double> plain = losses(run_small(federation));
  EXPECT_NE(plain.back(), untouched);
  federation.worker_momentum = 0.9;
  EXPECT_EQ(losses(run_small(federation)), plain);
  federation.worker_momentum = 0;
  federation.strategy = "fednova";
  EXPECT_EQ(losses(run_small(federation)), plain);
}

TEST(Rounds, WaitForNobodyAfterTheDeadline) {
  Federation federation = small_federation();
  federation.speed = "uniform:low=10:high=100";
  federation.bandwidth = "constant:value=1e12";
  // 40 samples in batches of 4: ten steps, 40 samples. At most 2 s: speeds from 20 on.
  federation.deadline_s = 1;
  const std::vector<ClientTraits> traits = drawn_traits(federation);
  const std::vector<RoundNote> rounds = run_small(federation);
  for (std::int64_t client = 0; client < federation.clients; ++client) {
    const bool in_time = 40 / traits[static_cast<std::size_t>(client)].samples_per_s <= 1;
    EXPECT_EQ(std::ranges::count(rounds[0].answered, client), in_time ? 1 : 0);
    EXPECT_EQ(std::ranges::count(rounds[0].late, client), in_time ? 0 : 1);
  }
  ASSERT_FALSE(rounds[0].late.empty());
  ASSERT_FALSE(rounds[0].answered.empty());
  EXPECT_EQ(rounds[0].client_seconds, 1);
}

TEST(Rounds, LeaveOutWhoIsAwayOrDropsOut) {
  Federation federation = small_federation();
  federation.clients = 40;
  federation.rounds = 10;
  federation.available = 0.5;
  federation.drop_out = 0.25;
  std::size_t chosen = 0;
  std::size_t dropped = 0;
  for (const RoundNote& note : run_small(federation, 400)) {
    chosen += note.chosen.size();
    dropped += note.dropped.size();
    EXPECT_EQ(note.answered.size() + note.dropped.size(), note.chosen.size());
  }
  // Binomial(400, 1/2) and Binomial(200, 1/4) within four deviations.
  EXPECT_NEAR(static_cast<double>(chosen), 200, 40);
  EXPECT_NEAR(static_cast<double>(dropped), 50, 26);
}

// Three of six attack and hold mixed samples; the other three have one class each, and all there is of it.
TEST(Rounds, AttackersMayHoldASampleOfAllData) {
  Federation federation = small_federation();
  federation.attack = "sign-flip";
  federation.attackers = 0.5;
  federation.sampler = "n-labels:n=1";
  federation.attackers_hold = "iid";
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < 300; ++i) labels.push_back(i % 3);
  const Shares shares = shares_of(federation, {labels, 3});
  const std::vector<bool> attacks = drawn_attackers(federation);
  ASSERT_EQ(shares.size(), 6U);
  for (std::size_t client = 0; client < shares.size(); ++client) {
    std::vector<std::int64_t> counts(3);
    for (const std::int64_t sample : shares[client])
      ++counts[static_cast<std::size_t>(labels[static_cast<std::size_t>(sample)])];
    EXPECT_EQ(shares[client].size(), 100U);
    EXPECT_EQ(std::ranges::count(counts, 0), attacks[client] ? 0 : 2) << client;
  }
}

// Workers of a measured strategy, each on the batches of one client.
std::vector<double> data_parallel_losses(const Federation& federation, std::int64_t samples) {
  const FederatedData data = drawn_data(federation, samples);
  measure::Trial trial;
  trial.strategy = federation.clients == 1 ? "single" : "all-reduce";
  trial.workers = federation.clients;
  trial.learning_rate = federation.learning_rate;
  trial.job.optimizer = jobs::Optimizer::sgd;
  measure::ThreadHub hub(federation.clients, 0);
  std::vector<std::vector<double>> losses(static_cast<std::size_t>(federation.clients));
  {
    std::vector<std::jthread> threads;
    for (std::int64_t rank = 0; rank < federation.clients; ++rank) {
      threads.emplace_back([&, rank] {
        measure::ThreadTransport transport(hub, rank);
        const auto& info = measure::training_strategies().get(trial.strategy);
        const auto strategy =
            info.make({.trial = trial,
                       .parameters = parameters_of(info, split_plugin_text(trial.strategy)),
                       .rank = rank,
                       .make_replica = [](std::int64_t) { return std::make_unique<SoftmaxReplica>(); },
                       .transport = info.distributed ? &transport : nullptr});
        const Samples own = read_samples(*data.train, data.shares[static_cast<std::size_t>(rank)]);
        strategy->begin();
        for (std::int64_t round = 1; round <= federation.rounds; ++round) {
          const LocalWork work = local_work(federation, rank, round, own.count());
          BatchOrder order(own.count(), work.batch, work.order);
          input::Batch batch;
          for (const std::int64_t row : order.next()) {
            const auto sample = own.sample(row);
            batch.values.insert(batch.values.end(), sample.begin(), sample.end());
            batch.labels.push_back(own.labels[static_cast<std::size_t>(row)]);
          }
          losses[static_cast<std::size_t>(rank)].push_back(strategy->step(round - 1, batch).loss);
        }
        strategy->finish();
      });
    }
  }
  std::vector<double> means(static_cast<std::size_t>(federation.rounds));
  for (const auto& own : losses) {
    for (std::size_t i = 0; i < own.size(); ++i) means[i] += own[i] / static_cast<double>(federation.clients);
  }
  return means;
}

void expect_same_losses(const Federation& federation) {
  const std::vector<RoundNote> rounds = run_small(federation, 40 * federation.clients);
  const std::vector<double> losses = data_parallel_losses(federation, 40 * federation.clients);
  ASSERT_EQ(rounds.size(), 100U);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_NEAR(rounds[i].train_loss / losses[i], 1, 1e-5) << "round " << i + 1;
  }
}

TEST(FedAvg, WithOneLocalStepIsSynchronousDataParallelism) {
  Federation federation = small_federation();
  federation.clients = 4;
  federation.rounds = 100;
  federation.local_steps = 1;
  expect_same_losses(federation);
}

TEST(FedAvg, WithOneClientIsOneWorker) {
  Federation federation = small_federation();
  federation.clients = 1;
  federation.hosts = 1;
  federation.rounds = 100;
  federation.local_steps = 1;
  expect_same_losses(federation);
}

}  // namespace
}  // namespace sextant::federated::test
