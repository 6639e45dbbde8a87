// sextant measure, spans and calibrate from the command line: real workers, what is written, what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "progress.h"
#include "sextant/core/csv.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

class MeasureCommand : public CliFixture {
 protected:
  static Outcome measure(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "measure");
    return sextant_run(arguments);
  }
  static Json json_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--budget", "1s"});
    const Outcome outcome = measure(arguments);
    EXPECT_EQ(outcome.code, kDone) << outcome.err;
    return Json::parse(outcome.out);
  }
};

// Where real workers are started.
class MeasureWithWorkers : public MeasureCommand {
 protected:
  void SetUp() override {
    MeasureCommand::SetUp();
    if (!std::filesystem::exists(SEXTANT_BINARY_DIR "/sextant-worker")) {
      GTEST_SKIP() << "sextant-worker is not built";
    }
  }
};

TEST_F(MeasureWithWorkers, EveryFieldOfAMeasurement) {
  const Json all =
      json_of({"lenet5", "--workers", "2", "--batch", "4", "--iterations", "8", "--warmup", "2"});
  EXPECT_EQ(all["schema"], "sextant.measurements/2");
  EXPECT_TRUE(all["provenance"]["machine"].is_object());
  ASSERT_EQ(all["measurements"].size(), 1);
  const Json& one = all["measurements"][0];
  EXPECT_EQ(one["strategy"], "all-reduce");
  EXPECT_EQ(one["batch"], 4);
  double sum = 0;
  for (const char* name : {"input_s", "forward_s", "backward_s", "exposed_communication_s", "optimizer_s"}) {
    EXPECT_GE(one[name].get<double>(), 0) << name;
    sum += one[name].get<double>();
  }
  // Medians of parts and of the whole, which is the slowest worker's: of the same size.
  EXPECT_GT(sum, 0);
  EXPECT_LE(one["iteration_p10_s"], one["iteration_s"]);
  EXPECT_LE(one["iteration_s"], one["iteration_p90_s"]);
  // A ring of two sends each gradient once: 61,706 floats, and a little for headers.
  EXPECT_NEAR(one["bytes_per_iteration"].get<double>(), 61706 * 4, 0.03 * 61706 * 4);
  EXPECT_EQ(one["bytes"]["counted_by"], "kernel's socket counters");
  EXPECT_EQ(one["per_worker"].size(), 2);
  EXPECT_GT(one["peak_rss_bytes"].get<double>(), 1e7);
  EXPECT_GT(one["samples_per_s"].get<double>(), 0);
}

TEST_F(MeasureWithWorkers, SpansOfARunAreAnalysed) {
  const Outcome run = measure({"lenet5", "--workers", "2", "--batch", "4", "--iterations", "8", "--budget",
                               "1s", "--spans-out", "spans.json"});
  ASSERT_EQ(run.code, kDone) << run.err;
  const Outcome analysis = sextant_run({"spans", "analyze", "spans.json", "--json", "--no-provenance"});
  ASSERT_EQ(analysis.code, kDone) << analysis.err;
  const Json json = Json::parse(analysis.out);
  EXPECT_EQ(json["workers"], 2);
  EXPECT_GE(json["iterations"].get<int>(), 8);
  const Outcome otlp = sextant_run({"spans", "convert", "spans.json", "--to", "otlp"});
  ASSERT_EQ(otlp.code, kDone);
  write("otlp.json", otlp.out);
  EXPECT_EQ(sextant_run({"spans", "analyze", "otlp.json", "--json", "--no-provenance"}).out, analysis.out);
}

TEST_F(MeasureWithWorkers, OperatorsAreATableThatFitTakes) {
  const Outcome run = measure({"lenet5", "--operators", "--batch", "8", "--format", "csv"});
  ASSERT_EQ(run.code, kDone) << run.err;
  const CsvTable table = CsvTable::parse(run.out, "operators");
  EXPECT_GE(table.rows(), 10);
  write("operators.csv", run.out);
  const Outcome fit =
      sextant_run({"fit", "--data", "operators.csv", "--response", "forward_s", "--features", "flop,bytes",
                   "--method", "ridge", "--validate", "kfold:3", "--out", "model.json"});
  EXPECT_EQ(fit.code, kDone) << fit.err;
}

// An image that cannot be read is the user's to mend, not a worker that was lost.
TEST_F(MeasureWithWorkers, ABrokenImageIsNamed) {
  std::filesystem::create_directories("pictures/cat");
  const std::string grey = "P5 28 28 255\n" + std::string(28 * 28, 'x');
  for (const char* name : {"1", "2", "3"}) write(std::string("pictures/cat/") + name + ".pgm", grey);
  write("pictures/cat/4.pgm", "P5 nonsense");
  for (const char* workers : {"1", "2"}) {
    const Outcome run = measure({"lenet5", "--data", "pictures", "--batch", "2", "--iterations", "2",
                                 "--warmup", "2", "--workers", workers, "--budget", "1s"});
    EXPECT_EQ(run.code, kBadInput) << run.err;
    EXPECT_THAT(run.err, HasSubstr("pictures/cat/4.pgm"));
    EXPECT_THAT(run.err, testing::Not(HasSubstr("lost")));
    EXPECT_EQ(run.out, "");
  }
}

TEST_F(MeasureWithWorkers, TheLastLineSaysWhyItStopped) {
  const Outcome run = measure({"lenet5", "--batch", "4", "--iterations", "8", "--budget", "1s"});
  ASSERT_EQ(run.code, kDone) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Stopped after "));
  EXPECT_THAT(run.out, HasSubstr("% was asked"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("`budget`")));  // said as an option
}

TEST_F(MeasureWithWorkers, RecordsAreAppended) {
  ASSERT_EQ(
      measure({"lenet5", "--batch", "4", "--iterations", "5", "--budget", "1s", "--db", "runs.db"}).code,
      kDone);
  const Outcome list = sextant_run({"records", "list", "--db", "runs.db"});
  EXPECT_THAT(list.out, HasSubstr("training-step"));
  EXPECT_THAT(list.out, HasSubstr("strategy=single"));
}

TEST_F(MeasureWithWorkers, EffectsOfATwoLevelDesign) {
  const Outcome run =
      measure({"lenet5", "--batch", "2,8", "--strategy", "all-reduce", "--workers", "1,2", "--iterations",
               "5", "--warmup", "1", "--budget", "1s", "--effects", "--format", "csv"});
  ASSERT_EQ(run.code, kDone) << run.err;
  const CsvTable table = CsvTable::parse(run.out, "effects");
  ASSERT_EQ(table.rows(), 3);  // batch, workers, batch x workers
}

TEST_F(MeasureCommand, WhatIsRefusedBeforeAnythingStarts) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"lenet5", "--transport", "pigeon", "--workers", "2"}, "unknown transport"},
      {{"lenet5", "--strategy", "single", "--workers", "2"}, "one worker"},
      {{"lenet5", "--strategy", "all-reduce", "--transport", "none", "--workers", "2"},
       "have to exchange data"},
      {{"vgg16", "--batch", "512", "--workers", "8"}, "of memory"},
      {{"lenet5", "--data", "/nonexistent"}, "no data set"},
      {{"lenet5", "--bucket-mb", "0", "--workers", "2"}, "--bucket-mb"},
      {{"lenet5", "--workers", "1,2", "--spans-out", "x.json"}, "one configuration"},
      {{"lenet5", "--spans-out", "/nonexistent/x.json"}, "does not exist"},
      {{"lenet5", "--db", "/nonexistent/runs.db"}, "/nonexistent"},
      {{"lenet5", "--db", "notes.txt"}, "notes.txt"},
      {{"lenet5", "--db", "."}, "folder"},
      {{"lenet5", "--effects"}, "no option has two values"},
      {{"lenet5", "--effects", "--workers", "1,2,4"}, "compares two values"},
      {{"lenet5", "--timeout", "5"}, "--timeout"},
      {{"lenet5", "--precision", "fp16"}, "networks are trained in fp32 here"},
      {{"no-such-net"}, "unknown network"}};
  write("notes.txt",
        "this is no database, and longer than the header of one: 0123456789 0123456789 0123456789");
  for (const auto& [arguments, says] : bad) {
    const Outcome outcome = measure(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(MeasureCommand, InputIsACommandOfItsOwn) {
  const Outcome run =
      measure({"input", "--formats", "records", "--batch", "4,8", "--batches", "4", "--samples", "32",
               "--prefetch", "0", "--cache", "0", "--image", "16", "--repetitions", "2", "--json"});
  ASSERT_EQ(run.code, kDone) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["points"].size(), 2);
  EXPECT_EQ(json["factors"].size(), 1);
  EXPECT_THAT(json["verdict"].get<std::string>(),
              HasSubstr("a training step of 8 samples that takes less than"));
}

TEST_F(MeasureCommand, ADeviceThatIsNotCalibratedCannotBeChecked) {
  const Outcome outcome = sextant_run({"calibrate", "--check", "--id", "v100"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("not calibrated"));
}

TEST_F(MeasureCommand, AFolderThatCannotBeMadeIsNoticedBeforeCalibrating) {
  write("file", "");
  const Outcome outcome = sextant_run({"calibrate", "--folder", "file/below", "--budget", "20s"});
  EXPECT_EQ(outcome.code, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be made"));
  // A file system that nobody can write to, whatever the rights say.
  const auto begin = std::chrono::steady_clock::now();
  const Outcome kernel = sextant_run({"calibrate", "--folder", "/proc/x", "--budget", "20s"});
  EXPECT_EQ(kernel.code, kFailed);
  EXPECT_THAT(kernel.err, HasSubstr("/proc/x: cannot be made"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// Time that moves when the test says so.
std::chrono::steady_clock::time_point told_time{};
std::chrono::steady_clock::time_point tell_time() {
  return told_time;
}

TEST_F(MeasureCommand, ProgressIntoAPipeIsALineNowAndThen) {
  using std::chrono::seconds;
  std::ostringstream err;
  ProgressLines progress(err, &tell_time);
  for (int second = 0; second < 40; ++second) {
    progress.step(0, 1, "at " + std::to_string(second));
    told_time += seconds(1);
  }
  EXPECT_EQ(err.str(), "sextant: at 5\nsextant: at 20\nsextant: at 35\n");
}

// A terminal of 80 columns erases one line of 80 columns.
TEST_F(MeasureCommand, ProgressFitsOneLineOfTheTerminal) {
  const std::string note =
      "0 of 4 medians known well enough, the least sure one known to 31 %, asked 2 %, 1 round, at most 13 s "
      "more";
  std::ostringstream err;
  FittedProgress progress(err, 80, &tell_time);
  told_time += std::chrono::seconds(3);
  progress.step(1, 4, note);
  const std::string drawn = err.str().substr(err.str().rfind("\x1b[K") + 3);
  EXPECT_THAT(drawn, testing::StartsWith("1/4  0 of 4 medians known well enough, the least"));
  EXPECT_THAT(drawn, testing::EndsWith("9.00 s left"));
  EXPECT_LT(report::display_width(drawn), 80U);
}

TEST_F(MeasureCommand, TheBudgetIsShortUnlessSaid) {
  EXPECT_THAT(sextant_run({"measure", "--help"}).out, HasSubstr("2min"));
}

}  // namespace
}  // namespace sextant::cli::test
