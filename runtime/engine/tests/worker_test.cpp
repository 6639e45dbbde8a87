// The worker from its rank to its report: LeNet-5 learns Fashion-MNIST over every transport as one worker
// does.
#include "sextant/engine/worker.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "rank_processes.h"
#include "sextant/core/text.h"
#include "sextant/measure/checkpoint.h"
#include "sextant/measure/outcome.h"
#include "sextant/spans/span.h"
#include "temporary_folder.h"
#include "training_data.h"

namespace sextant::engine {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kGlobalBatch = 32;

std::string read_text(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

measure::Trial lenet(const std::string& strategy, std::int64_t workers, std::int64_t servers = 0) {
  measure::Trial trial;
  trial.job.net = "lenet5";
  trial.job.sizes.batch = kGlobalBatch / workers;
  trial.job.optimizer = jobs::Optimizer::momentum;
  trial.learning_rate = 0.01;
  trial.strategy = strategy;
  trial.workers = workers;
  trial.servers = servers;
  trial.bucket_mb = 0.1;
  trial.data = "fashion-mnist";
  trial.iterations = 100;
  trial.warmup = 0;
  return trial;
}

bool one_process(const measure::Trial& trial) {
  return trial.strategy == "single" || trial.strategy == "mirrored";
}

std::vector<measure::WorkerReport> run_in(const TemporaryFolder& folder, const measure::Trial& trial) {
  const measure::RunFolder run(folder.path());
  measure::write_file_atomically(run.trial_file(), to_json(trial).dump());
  const std::int64_t ranks = one_process(trial) ? 1 : rank_count(trial);
  if (trial.transport.starts_with("mpi")) {
    EXPECT_EQ(run_under_mpi(ranks, "WorkerChild.DISABLED_Run", trial.transport == "mpi-shm" ? "vader" : "tcp",
                            {"SEXTANT_TEST_FOLDER=" + folder.path().string()}),
              0);
  } else {
    run_again(ranks, "WorkerChild.DISABLED_Run", {"SEXTANT_TEST_FOLDER=" + folder.path().string()});
  }
  std::vector<measure::WorkerReport> reports;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto file = run.report_file(rank);
    reports.push_back(measure::worker_report_from_json(read_text(file), file.string()));
  }
  return reports;
}

std::vector<measure::WorkerReport> run_trial_here(const measure::Trial& trial) {
  const TemporaryFolder folder;
  return run_in(folder, trial);
}

std::vector<double> mean_losses(const std::vector<measure::WorkerReport>& reports, std::int64_t workers) {
  std::vector<double> sums(reports[0].losses.size());
  for (const measure::WorkerReport& report : reports) {
    for (std::size_t i = 0; i < report.losses.size(); ++i) {
      sums[i] += report.losses[i] / static_cast<double>(workers);
    }
  }
  return sums;
}

// Started by run_under_mpi and run_again.
TEST(WorkerChild, DISABLED_Run) {
  const char* own = std::getenv("SEXTANT_RANK");
  const auto rank = to_integer(own != nullptr ? own : std::getenv("OMPI_COMM_WORLD_RANK")).value_or(-1);
  EXPECT_EQ(run_worker(measure::RunFolder(std::getenv("SEXTANT_TEST_FOLDER")), rank), 0);
}

class WorkerOnFashionMnist : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) {
      GTEST_SKIP() << "Fashion-MNIST is not installed";
    }
  }
};

TEST_F(WorkerOnFashionMnist, WorkersTogetherFollowOneWorker) {
  const auto alone = run_trial_here(lenet("single", 1));
  ASSERT_EQ(alone[0].error, "");
  ASSERT_EQ(alone[0].losses.size(), 100U);
  EXPECT_LT(alone[0].losses.back(), 0.8 * alone[0].losses.front()) << "it learns";
  EXPECT_GT(alone[0].accuracy.value_or(0), 0.3);
  struct Together {
    const char* strategy;
    std::int64_t workers;
    std::int64_t servers;
    const char* transport;
  };
  for (const Together& t : {Together{"mirrored", 2, 0, "gloo-tcp"},
                            {"all-reduce", 1, 0, "gloo-tcp"},
                            {"all-reduce", 2, 0, "gloo-tcp"},
                            {"all-reduce", 4, 0, "gloo-tcp"},
                            {"ps-sync", 2, 1, "gloo-tcp"},
                            {"ps-sync", 4, 2, "gloo-tcp"},
                            {"all-reduce", 4, 0, "mpi-shm"},
                            {"all-reduce", 2, 0, "mpi-tcp"},
                            {"ps-sync", 2, 2, "mpi-shm"}}) {
    measure::Trial trial = lenet(t.strategy, t.workers, t.servers);
    trial.transport = t.transport;
    const auto reports = run_trial_here(trial);
    const std::string what =
        std::string(t.strategy) + " " + std::to_string(t.workers) + " workers " + t.transport;
    for (const measure::WorkerReport& report : reports) ASSERT_EQ(report.error, "") << what;
    const auto losses = mean_losses(reports, one_process(trial) ? 1 : t.workers);
    ASSERT_EQ(losses.size(), 100U) << what;
    double largest = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      largest = std::max(largest, std::abs(losses[i] - alone[0].losses[i]));
    }
    EXPECT_LT(largest, 1e-4) << what;
  }
}

TEST_F(WorkerOnFashionMnist, GoesOnFromACheckpointWithFewerWorkers) {
  measure::Trial whole = lenet("single", 1);
  whole.iterations = 12;
  const auto alone = run_trial_here(whole);
  for (const auto& [strategy, servers] : {std::pair{"all-reduce", 0}, {"ps-sync", 2}}) {
    const TemporaryFolder folder;
    measure::Trial first = lenet(strategy, 4, servers);
    first.iterations = 7;
    first.checkpoint_every = 3;
    ASSERT_EQ(run_in(folder, first)[0].error, "");
    EXPECT_EQ(measure::read_checkpoint(measure::RunFolder(folder.path()).checkpoint_file()).iteration, 6);
    std::filesystem::remove_all(measure::RunFolder(folder.path()).rendezvous());
    measure::Trial rest = lenet(strategy, 2, servers);
    rest.iterations = 12;
    const auto reports = run_in(folder, rest);
    ASSERT_EQ(reports[0].error, "");
    EXPECT_EQ(reports[0].first_iteration, 6);
    const auto losses = mean_losses(reports, 2);
    ASSERT_EQ(losses.size(), 6U);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], alone[0].losses[i + 6], 1e-5) << strategy << " " << i;
    }
  }
}

measure::Trial made_up(const std::string& strategy, std::int64_t workers, std::int64_t servers = 0) {
  measure::Trial trial = lenet(strategy, workers, servers);
  trial.data = "synthetic";
  trial.iterations = 4;
  trial.warmup = 2;
  return trial;
}

TEST(Worker, ReportsBytesOfTheMeasuredIterations) {
  const auto reports = run_trial_here(made_up("all-reduce", 2));
  ASSERT_EQ(reports[0].error, "");
  EXPECT_EQ(reports[0].iterations.size(), 6U);
  EXPECT_GT(reports[0].peak_rss_bytes, 50e6) << "libtorch alone is more";
  // LeNet-5 has 61,706 parameters; of two ranks each sends half of them twice.
  EXPECT_EQ(reports[0].bytes.payload, 4.0 * 4 * 61'706);
  EXPECT_EQ(reports[0].bytes.theoretical, reports[0].bytes.payload);
  EXPECT_NEAR(reports[0].bytes.kernel.value_or(0) / reports[0].bytes.payload, 1, 0.03);
  EXPECT_TRUE(reports[0].accuracy.has_value());
  EXPECT_FALSE(reports[1].accuracy.has_value()) << "rank 0 alone tests";
}

TEST(Worker, AServersUpdateIsAChildOfTheWorkersPush) {
  const TemporaryFolder folder;
  measure::Trial trial = made_up("ps-sync", 2, 1);
  trial.spans = true;
  for (const auto& report : run_in(folder, trial)) ASSERT_EQ(report.error, "");
  const measure::RunFolder run(folder.path());
  std::map<spans::SpanId, std::int64_t> pushes;  // id → rank
  for (const std::int64_t rank : {0, 1}) {
    const spans::SpanSet set = spans::read_spans(read_text(run.spans_file(rank)), "worker");
    for (const spans::Span& span : set.spans) {
      if (span.name == "communication") pushes[span.id] = rank;
    }
  }
  const spans::SpanSet server = spans::read_spans(read_text(run.spans_file(2)), "server");
  std::int64_t updates = 0;
  for (const spans::Span& span : server.spans) {
    if (span.name != "update") continue;
    ++updates;
    ASSERT_TRUE(pushes.contains(span.parent));
    EXPECT_EQ(pushes[span.parent], span.thread) << "threads of a server are numbered by worker";
  }
  EXPECT_GE(updates, 2 * 6) << "two workers, six iterations, at least a bucket each";
}

TEST(Worker, WritesItsReportAlsoWhenItFails) {
  measure::Trial trial = made_up("single", 1);
  trial.data = "/no/such/folder";
  const auto missing = run_trial_here(trial);
  EXPECT_THAT(missing[0].error, HasSubstr("/no/such/folder"));
  const TemporaryFolder folder;
  const auto answers = run_ranks(1, [&](std::int64_t rank) {
    return std::to_string(run_worker(measure::RunFolder(folder.path()), rank));
  });
  EXPECT_EQ(answers[0], "1");
  const auto report =
      measure::worker_report_from_json(read_text(measure::RunFolder(folder.path()).report_file(0)), "report");
  EXPECT_THAT(report.error, HasSubstr("trial.json"));
}

TEST(Worker, TimesOperatorsInsteadIfAsked) {
  measure::Trial trial = made_up("single", 1);
  trial.operators = true;
  const auto reports = run_trial_here(trial);
  ASSERT_EQ(reports[0].error, "");
  EXPECT_TRUE(reports[0].iterations.empty());
  EXPECT_GT(reports[0].operators.size(), 5U);
}

TEST(TrainingDataTest, NetworksThatReadTokensGetEmptyBatchesAndHaveNoEpochs) {
  measure::Trial trial = made_up("all-reduce", 2);
  trial.job.net = "gpt2";
  trial.job.sizes = {.batch = 1, .seq = 8};
  const nets::Graph graph = build(nets::find_network(trial.job.net), trial.job.sizes);
  TrainingData data(trial, graph, {.batch = 1, .process = 0, .processes = 2});
  EXPECT_TRUE(data.next(0).values.empty());
  EXPECT_TRUE(data.next(1).labels.empty());
  EXPECT_EQ(data.iterations(), 6);
  EXPECT_EQ(data.open_test_set(), nullptr);
  trial.epochs = 1;
  EXPECT_THROW(static_cast<void>(data.iterations()), InputError);
}

TEST(TrainingDataTest, EpochsAreCountedInWholeGlobalBatches) {
  measure::Trial trial = made_up("all-reduce", 2);  // 10,000 samples, 32 a step: 312 whole batches
  const nets::Graph graph = build(nets::find_network(trial.job.net), trial.job.sizes);
  const TrainingData data(trial, graph, {.batch = 16, .process = 1, .processes = 2});
  trial.epochs = 2;
  EXPECT_EQ(data.iterations(), 624);
  trial.epochs = 0.5;
  EXPECT_EQ(data.iterations(), 156);
  trial.epochs = 1e300;
  EXPECT_THROW(static_cast<void>(data.iterations()), InputError);
}

}  // namespace
}  // namespace sextant::engine
