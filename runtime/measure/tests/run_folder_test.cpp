// Files of the run folder: whole or not at all, read back as they were, refused where they are not right.
#include "sextant/measure/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "temporary_folder.h"

namespace sextant::measure {
namespace {

using sextant::test::error_of;

Trial unusual_trial() {
  Trial trial;
  trial.job.net = "resnet18";
  trial.job.sizes = {.batch = 7, .image = 32, .seq = {}, .classes = 10};
  trial.job.optimizer = jobs::Optimizer::adam;
  trial.learning_rate = 0.1;
  trial.momentum = 0.5;
  trial.strategy = "ps-ssp:bound=3";
  trial.workers = 3;
  trial.servers = 2;
  trial.transport = "mpi-tcp";
  trial.bucket_mb = 1.5;
  trial.overlap = false;
  trial.threads = 2;
  trial.data = "fashion-mnist";
  trial.prefetch = 0;
  trial.iterations = 9;
  trial.warmup = 0;
  trial.epochs = 1.5;
  trial.seed = std::numeric_limits<std::uint64_t>::max();
  trial.spans = true;
  trial.operators = true;
  trial.timeout_s = 0.25;
  trial.on_failure = OnFailure::shrink;
  trial.checkpoint_every = 4;
  trial.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  return trial;
}

WorkerReport unusual_report() {
  WorkerReport report;
  report.rank = 1;
  report.role = "worker";
  report.host = "node";
  report.pid = 42;
  report.iterations = {{1, 0.125, 0.25, 0.5, 0.0625, 0.03125, 0.015625}, {2, 0, 0, 0, 0, 0, 0}};
  report.losses = {2.25, 1.5};
  report.bytes = {.payload = 10, .theoretical = 20, .kernel = 30.0};
  report.peak_rss_bytes = 1e9;
  report.accuracy = 0.75;
  report.operators = {{3, "conv1", "Conv", 0.5, 0.75, 1e6, 1e9}};
  report.first_iteration = 5;
  report.error = "a \"quoted\" reason";
  report.versions = {{"torch", "1.13"}};
  return report;
}

TEST(TrialJson, EveryFieldSurvives) {
  const Json once = to_json(unusual_trial());
  const Json again = to_json(trial_from_json(once.dump(), "trial.json"));
  EXPECT_EQ(again, once);
  // Each field differs from the default, so that one that the reader forgets shows.
  const Json usual = to_json(Trial{});
  for (const auto& [name, value] : once.items()) {
    if (name != "schema") {
      EXPECT_NE(value, usual.at(name)) << name;
    }
  }
}

TEST(TrialJson, RefusesWhatIsNotRight) {
  const auto error_with = [](const std::string& name, const Json& value) {
    Json json = to_json(Trial{});
    json[name] = value;
    return error_of([&] { (void)trial_from_json(json.dump(), "trial.json"); });
  };
  EXPECT_THAT(error_with("workers", 0), testing::HasSubstr("'workers' is not between 1"));
  EXPECT_THAT(error_with("workers", 1e300), testing::HasSubstr("not a whole number"));
  EXPECT_THAT(error_with("workers", std::numeric_limits<std::uint64_t>::max()),
              testing::HasSubstr("between"));
  EXPECT_THAT(error_with("timeout_s", 0), testing::HasSubstr("'timeout_s'"));
  EXPECT_THAT(error_with("seed", -1), testing::HasSubstr("'seed'"));
  EXPECT_THAT(error_with("on_failure", "panic"), testing::HasSubstr("stop nor shrink"));
  EXPECT_THAT(error_with("worker", 2), testing::HasSubstr("did you mean 'workers'?"));
  EXPECT_THAT(error_with("schema", "sextant.trial/2"), testing::HasSubstr("sextant.trial/1"));
  Json less = to_json(Trial{});
  less.erase("threads");
  EXPECT_THAT(error_of([&] { (void)trial_from_json(less.dump(), "t.json"); }),
              testing::HasSubstr("'threads' is missing"));
}

TEST(ReportJson, EveryFieldSurvives) {
  const Json once = to_json(unusual_report());
  EXPECT_EQ(to_json(worker_report_from_json(once.dump(), "report.json")), once);
}

// Training that diverges is a result, not a broken file.
TEST(ReportJson, LossThatIsNoNumber) {
  WorkerReport report = unusual_report();
  report.losses[1] = std::numeric_limits<double>::infinity();
  const WorkerReport read = worker_report_from_json(to_json(report).dump(), "report.json");
  EXPECT_DOUBLE_EQ(read.losses[0], 2.25);
  EXPECT_TRUE(std::isnan(read.losses[1]));
}

TEST(ReportJson, ReasonOfAnyBytes) {
  WorkerReport report = unusual_report();
  report.error = "peer \xff said";
  const WorkerReport read = worker_report_from_json(to_json(report).dump(), "report.json");
  EXPECT_EQ(read.error, "peer \xEF\xBF\xBD said");  // U+FFFD for what is no UTF-8
}

TEST(ReportJson, RefusesColumnsThatDoNotFit) {
  Json json = to_json(unusual_report());
  json["iterations"]["forward_s"].push_back(1);
  EXPECT_THAT(error_of([&] { (void)worker_report_from_json(json.dump(), "r.json"); }),
              testing::HasSubstr("'forward_s'"));
  json = to_json(unusual_report());
  json["iterations"]["total_s"][0] = nullptr;
  EXPECT_THROW((void)worker_report_from_json(json.dump(), "r.json"), InputError);
  EXPECT_THROW((void)worker_report_from_json("{\"schema\": \"sextant.wor", "r.json"), InputError);
  EXPECT_THROW((void)worker_report_from_json("", "r.json"), InputError);
}

TEST(WriteFileAtomically, ReplacesAndLeavesNothingBeside) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_file_atomically(path, "first, and longer");
  write_file_atomically(path, "second");
  EXPECT_EQ(read_text_file(path.string()), "second");
  const auto entries = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  EXPECT_EQ(entries, 1);
}

TEST(WriteFileAtomically, ErrorNamesThePath) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "none" / "file";
  try {
    write_file_atomically(path, "text");
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(path.string()));
  }
}

TEST(LifeSign, IsSeenFromOutside) {
  const TemporaryFolder temporary;
  const RunFolder folder(temporary.path());
  EXPECT_EQ(read_life(folder, 3).pid, 0);
  LifeSign sign(folder, 3);
  const Life first = read_life(folder, 3);
  EXPECT_EQ(first.pid, ::getpid());
  EXPECT_GT(first.beats, 0);
  sign.beat();
  EXPECT_EQ(read_life(folder, 3).beats, first.beats + 1);
  sign.finished(7);
  EXPECT_EQ(read_life(folder, 3).iterations, 7);
  EXPECT_GT(read_life(folder, 3).beats, first.beats + 1);
}

TEST(LifeSign, HalfAFileIsNoSign) {
  const TemporaryFolder temporary;
  const RunFolder folder(temporary.path());
  std::ofstream(folder.life_file(0)) << "abc";
  EXPECT_EQ(read_life(folder, 0).pid, 0);
}

}  // namespace
}  // namespace sextant::measure
