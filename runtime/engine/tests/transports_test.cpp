// Transports between real processes: sums, messages, bytes on the wire, and peers that die or stop.
#include "sextant/engine/transports.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include "rank_processes.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "temporary_folder.h"

namespace sextant::engine {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

measure::Trial trial_for(const std::string& transport, std::int64_t workers, std::int64_t servers = 0) {
  measure::Trial trial;
  trial.strategy = servers > 0 ? "ps-sync" : "all-reduce";
  trial.transport = transport;
  trial.workers = workers;
  trial.servers = servers;
  return trial;
}

// Value i of rank r is i mod 7 + r, so the sum over n ranks is n (i mod 7) + n (n-1)/2.
std::string check_sums(measure::Transport& transport, std::int64_t workers) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 1000U, 262'144U, 300'001U, 1'000'003U}) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7 + transport.rank());
    transport.all_reduce(values);
    for (std::size_t i = 0; i < count; ++i) {
      const auto expected =
          static_cast<float>(workers * static_cast<std::int64_t>(i % 7) + workers * (workers - 1) / 2);
      if (values[i] != expected) {
        return "value " + std::to_string(i) + " of " + std::to_string(count) + " is " +
               std::to_string(values[i]) + ", not " + std::to_string(expected);
      }
    }
  }
  transport.barrier();
  return "ok";
}

// Every rank sends to every other at once, by a thread and with a tag for each pair, 1 MiB and nothing.
std::string check_messages(measure::Transport& transport) {
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::int64_t peer = 0; peer < transport.size(); ++peer) {
      if (peer == transport.rank()) continue;
      const auto tag = [&](std::int64_t from, std::int64_t to) {
        return static_cast<std::uint32_t>(100 + from * transport.size() + to);
      };
      threads.emplace_back([&, peer] {
        const std::vector<std::byte> out(1 << 20, static_cast<std::byte>(transport.rank() + 1));
        transport.send(peer, tag(transport.rank(), peer), out);
        transport.send(peer, tag(transport.rank(), peer), {});
      });
      threads.emplace_back([&, peer] {
        std::vector<std::byte> in(1 << 20);
        transport.receive(peer, tag(peer, transport.rank()), in);
        transport.receive(peer, tag(peer, transport.rank()), {});
        for (const std::byte byte : in) wrong += byte != static_cast<std::byte>(peer + 1) ? 1 : 0;
      });
    }
  }
  return wrong == 0 ? "ok" : "wrong bytes";
}

// ResNet-18's gradients, three times: what the kernel counted over what a ring sends.
double wire_ratio(measure::Transport& transport) {
  std::vector<float> values(11'689'512, 1.0F);
  const measure::WireBytes before = transport.bytes();
  for (int i = 0; i < 3; ++i) transport.all_reduce(values);
  const measure::WireBytes after = transport.bytes();
  EXPECT_EQ(after.payload - before.payload, 3.0 * 4 * 11'689'512);
  return (after.kernel.value_or(0) - before.kernel.value_or(0)) / (after.theoretical - before.theoretical);
}

TEST(GlooTransport, SumsAndMessages) {
  for (const auto& [workers, servers] : {std::pair{1, 0}, {2, 0}, {3, 0}, {4, 0}, {2, 2}}) {
    const TemporaryFolder folder;
    const measure::Trial trial = trial_for("gloo-tcp", workers, servers);
    const auto answers = run_ranks(workers + servers, [&](std::int64_t rank) {
      const auto transport = join({trial, measure::RunFolder(folder.path()), rank});
      const std::string sums = rank < trial.workers ? check_sums(*transport, trial.workers) : "ok";
      return sums == "ok" ? check_messages(*transport) : sums;
    });
    for (const auto& answer : answers) EXPECT_EQ(answer, "ok") << workers << " workers " << servers;
  }
}

TEST(GlooTransport, TheKernelCountsWhatTheTheorySays) {
  for (const std::int64_t ranks : {2, 4}) {
    const TemporaryFolder folder;
    const measure::Trial trial = trial_for("gloo-tcp", ranks);
    const auto answers = run_ranks(ranks, [&](std::int64_t rank) {
      const auto transport = join({trial, measure::RunFolder(folder.path()), rank});
      const double ratio = wire_ratio(*transport);
      transport->barrier();
      return number_text(ratio);
    });
    for (const auto& answer : answers) EXPECT_NEAR(to_number(answer).value_or(0), 1, 0.03) << answer;
  }
}

TEST(GlooTransport, APeerThatDiesIsNoticedAtOnceAndNamed) {
  for (const bool message : {false, true}) {
    const TemporaryFolder folder;
    measure::Trial trial = trial_for("gloo-tcp", 2);
    trial.timeout_s = 50;  // much longer than the test waits
    const auto answers = run_ranks(
        2,
        [&](std::int64_t rank) -> std::string {
          const auto transport = join({trial, measure::RunFolder(folder.path()), rank});
          transport->barrier();  // both have found each other
          if (rank == 1) _exit(3);
          std::vector<float> values(1'000'000);
          if (message)
            transport->receive(1, 5, std::as_writable_bytes(std::span(values)));
          else
            transport->all_reduce(values);
          return "no error";
        },
        20);
    EXPECT_THAT(answers[0], StartsWith("error: rank 0 lost rank 1")) << message;
  }
}

TEST(GlooTransport, APeerThatStopsIsNoticedAtTheTimeout) {
  const TemporaryFolder folder;
  measure::Trial trial = trial_for("gloo-tcp", 2);
  trial.timeout_s = 1;
  const auto answers = run_ranks(
      2,
      [&](std::int64_t rank) -> std::string {
        const auto transport = join({trial, measure::RunFolder(folder.path()), rank});
        if (rank == 1) raise(SIGSTOP);
        std::vector<float> values(1'000'000);
        transport->all_reduce(values);
        return "no error";
      },
      20);
  EXPECT_THAT(answers[0], StartsWith("error: rank 0 lost rank 1"));
  EXPECT_THAT(answers[0], HasSubstr("imed out"));
}

TEST(GlooTransport, ARankThatNeverComesIsAnError) {
  const TemporaryFolder folder;
  measure::Trial trial = trial_for("gloo-tcp", 2);
  trial.transport = "carrier pigeons";
  EXPECT_THROW(join({trial, measure::RunFolder(folder.path()), 0}), InputError);
}

std::int64_t mpi_rank() {
  return to_integer(std::getenv("OMPI_COMM_WORLD_RANK")).value_or(-1);
}
std::int64_t mpi_size() {
  return to_integer(std::getenv("OMPI_COMM_WORLD_SIZE")).value_or(-1);
}
std::string mpi_transport() {
  return std::getenv("SEXTANT_TEST_TRANSPORT");
}

// What follows runs under mpirun, started by the tests below.
TEST(MpiChild, DISABLED_Everything) {
  const TemporaryFolder folder;
  const measure::Trial trial = trial_for(mpi_transport(), mpi_size());
  const auto transport = join({trial, measure::RunFolder(folder.path()), mpi_rank()});
  EXPECT_EQ(check_sums(*transport, trial.workers), "ok");
  EXPECT_EQ(check_messages(*transport), "ok");
  const double ratio = wire_ratio(*transport);
  if (trial.transport == "mpi-tcp") {
    EXPECT_NEAR(ratio, 1, 0.03);
  } else {
    EXPECT_EQ(ratio, 0) << "there are no sockets";
  }
  transport->barrier();
}

TEST(MpiChild, DISABLED_StoppedPeer) {
  const TemporaryFolder folder;
  measure::Trial trial = trial_for(mpi_transport(), 2);
  trial.timeout_s = 1;
  auto transport = join({trial, measure::RunFolder(folder.path()), mpi_rank()});
  if (mpi_rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(30));
  std::vector<float> values(1'000'000);
  try {
    transport->all_reduce(values);
    _exit(5);
  } catch (const SystemError& error) {
    _exit(std::string(error.what()).find("rank 1") != std::string::npos ? 42 : 6);
  }
}

TEST(MpiTransport, SumsMessagesAndBytes) {
  for (const auto& [transport, btl] : {std::pair{"mpi-shm", "vader"}, {"mpi-tcp", "tcp"}}) {
    for (const std::int64_t ranks : {2, 4}) {
      EXPECT_EQ(run_under_mpi(ranks, "MpiChild.DISABLED_Everything", btl,
                              {std::string("SEXTANT_TEST_TRANSPORT=") + transport}),
                0)
          << transport << " " << ranks;
    }
  }
}

TEST(MpiTransport, ASilentPeerIsNoticedAtTheTimeoutAndNamed) {
  const int status =
      run_under_mpi(2, "MpiChild.DISABLED_StoppedPeer", "vader", {"SEXTANT_TEST_TRANSPORT=mpi-shm"});
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(MpiTransport, WithoutMpirunSaysSo) {
  const TemporaryFolder folder;
  const measure::Trial trial = trial_for("mpi-shm", 2);
  const auto answers = run_ranks(1, [&](std::int64_t) -> std::string {
    const auto transport = join({trial, measure::RunFolder(folder.path()), 0});
    return "joined";
  });
  EXPECT_THAT(answers[0], HasSubstr("mpirun"));
}

}  // namespace
}  // namespace sextant::engine
