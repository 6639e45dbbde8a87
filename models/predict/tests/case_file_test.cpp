#include "sextant/predict/case_file.h"

#include <gmock/gmock.h>

#include "builtin.h"
#include "error_of.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::catalog;

// Counts its questions, and answers with the batch as seconds.
class BatchAsSeconds final : public Predictor {
 public:
  [[nodiscard]] Prediction predict(const Query& q) const override {
    jobs.push_back(q.job);
    Prediction p;
    p.iteration = p.interval.low = Seconds{static_cast<double>(q.job.sizes.batch)};
    p.fits = true;
    return p;
  }
  mutable std::vector<jobs::Job> jobs;
};

struct Outcome {
  CaseAnswers answers;
  std::vector<jobs::Job> jobs;
};

Outcome answer(const std::string& csv, const CaseDefaults& defaults = {}) {
  const BatchAsSeconds predictor;
  const auto answers = answer_cases(CsvTable::parse(csv, "cases.csv"), {catalog(), predictor, defaults});
  return {answers, predictor.jobs};
}

std::string first_error(const std::string& csv, const CaseDefaults& defaults = {}) {
  return answer(csv, defaults).answers.row(0).error;
}

TEST(CaseFile, EveryColumnIsRead) {
  const Outcome outcome = answer(
      "net,gpu,count,batch,image,seq,classes,mode,precision,stack,optimizer\n"
      "resnet18,t4,1,8,128,,10,infer,fp16,tensorflow-2.5,adam\n");
  ASSERT_EQ(outcome.jobs.size(), 1U) << outcome.answers.row(0).error;
  const jobs::Job& job = outcome.jobs.front();
  EXPECT_EQ(job.net, "resnet18");
  EXPECT_EQ(job.sizes.batch, 8);
  EXPECT_EQ(job.sizes.image, 128);
  EXPECT_EQ(job.sizes.classes, 10);
  EXPECT_EQ(job.mode, jobs::Mode::infer);
  EXPECT_EQ(job.precision, Precision::fp16);
  EXPECT_EQ(job.stack, "tensorflow-2.5");
  EXPECT_EQ(job.optimizer, jobs::Optimizer::adam);
}

TEST(CaseFile, EmptyAndMissingCellsTakeDefaults) {
  CaseDefaults defaults;
  defaults.gpu = "v100";
  defaults.job.sizes = {.batch = 4, .image = 96, .seq = 64};
  defaults.job.precision = Precision::tf32;
  const Outcome outcome = answer("net,batch\nresnet18,\nbert-large,2\n", defaults);
  ASSERT_EQ(outcome.jobs.size(), 2U);
  const jobs::Job& text = outcome.jobs[0];  // sorted by network
  const jobs::Job& image = outcome.jobs[1];
  EXPECT_EQ(image.sizes.batch, 4);
  EXPECT_EQ(image.sizes.image, 96);
  EXPECT_FALSE(image.sizes.seq) << "a network of images has no sequence";
  EXPECT_EQ(image.precision, Precision::tf32);
  EXPECT_EQ(text.sizes.batch, 2);
  EXPECT_EQ(text.sizes.seq, 64);
  EXPECT_FALSE(text.sizes.image);
}

TEST(CaseFile, AnswersStandInTheOrderOfTheRows) {
  const Outcome outcome = answer("net,gpu,batch\nvgg16,t4,3\nresnet18,t4,7\nvgg16,t4,1\nresnet18,t4,7\n");
  std::vector<double> seconds;
  for (std::size_t row = 0; row < 4; ++row) seconds.push_back(outcome.answers.row(row).predicted.value);
  EXPECT_EQ(seconds, (std::vector<double>{3, 7, 1, 7}));
}

TEST(CaseFile, EqualRowsAreAskedOnce) {
  std::string csv = "id,net,gpu,batch\n";
  for (int row = 0; row < 100; ++row) {
    csv += std::to_string(row) + ",resnet18,t4," + std::to_string(1 + row % 5) + "\n";
  }
  EXPECT_EQ(answer(csv).jobs.size(), 5U);
}

TEST(CaseFile, SpellingsOfOtherTablesAreUnderstood) {
  const Outcome outcome = answer(
      "net,gpu,batch,mode\nresnet18,T4,1,inference\nresnet18,T4,2,inf\nresnet18,T4,3,training\n"
      "resnet18,T4, 16.0 ,Train\n");
  ASSERT_EQ(outcome.jobs.size(), 4U);
  EXPECT_EQ(outcome.jobs[0].mode, jobs::Mode::infer);
  EXPECT_EQ(outcome.jobs[1].mode, jobs::Mode::infer);
  EXPECT_EQ(outcome.jobs[2].mode, jobs::Mode::train);
  EXPECT_EQ(outcome.jobs[3].sizes.batch, 16);
}

TEST(CaseFile, ARowThatCannotBeAnsweredSaysWhy) {
  const std::string head = "net,gpu,count,batch,image,seq,mode,precision,optimizer\n";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"resnet5O,t4,,,,,,,", "net: unknown network 'resnet5O' (did you mean 'resnet50'?)"},
      {",t4,,,,,,,", "net: no network is named"},
      {"resnet18,,,,,,,,", "gpu: no GPU is named (by a column 'gpu', or for all rows by `gpu`)"},
      {"resnet18,t4,0,,,,,,", "count: '0' is out of range (at least 1)"},
      {"resnet18,t4,9e17,,,,,,", "count: '9e17' is not a whole number"},
      {"resnet18,t4,900000000000,,,,,,", "count: more GPUs than any cluster has: 900000000000"},
      {"resnet18,v100+t4,8,,,,,,", "gpu: 2 kinds of GPU do not share 1 node evenly"},
      {"resnet18,t4,,0,,,,,", "batch: '0' is out of range (at least 1)"},
      {"resnet18,t4,,-1,,,,,", "batch: '-1' is out of range (at least 1)"},
      {"resnet18,t4,,1.5,,,,,", "batch: '1.5' is not a whole number"},
      {"resnet18,t4,,nan,,,,,", "batch: 'nan' is not a whole number"},
      {"resnet18,t4,,1e300,,,,,", "batch: '1e300' is not a whole number"},
      {"resnet18,t4,,1e12,,,,,", "batch: 1000000000000 is out of range (from 1 to 1073741824)"},
      {"alexnet,t4,,,3,,,,", "image: 3 pixels are too few for network 'alexnet' (at least 63)"},
      {"resnet18,t4,,,,9,,,", "seq: network 'resnet18' reads images, not tokens"},
      {"resnet18,t4,,,,,tain,,", "mode: unknown mode 'tain' (did you mean 'train'?)"},
      {"resnet18,t4,,,,,,int8,", "precision: "},
      {"resnet18,t4,,,,,,,adm", "optimizer: unknown optimizer 'adm' (did you mean 'adam'?)"},
      {"no-such-file.onnx,t4,,,,,,,", "no-such-file.onnx: "}};
  for (const auto& [row, message] : bad) {
    EXPECT_TRUE(first_error(head + row + "\n").starts_with(message)) << first_error(head + row + "\n");
  }
}

TEST(CaseFile, ReadsWhereDevicesStand) {
  const Outcome outcome = answer(
      "net,gpu,count,nodes,placement,strategy,network\n"
      "resnet18,t4,8,2,,pipeline:micro=4,ethernet-25g\n"
      "resnet18,t4,,,134,,\n"
      "resnet18,v100+t4,,,44,,\n");
  ASSERT_EQ(outcome.jobs.size(), 3U);
  EXPECT_EQ(outcome.jobs[0].layout.placement, jobs::parse_placement("44"));
  EXPECT_EQ(outcome.jobs[0].layout.strategy, "pipeline:micro=4");
  EXPECT_EQ(outcome.jobs[0].layout.link, "ethernet-25g");
  EXPECT_EQ(outcome.jobs[1].layout.placement, jobs::parse_placement("134"));
  EXPECT_EQ(outcome.jobs[1].layout.strategy, "data");
  EXPECT_EQ(outcome.jobs[2].layout.other_gpus, std::vector<std::string>{"t4"});
}

TEST(CaseFile, OneBadRowLeavesTheOthersAlone) {
  const Outcome outcome = answer("net,gpu,batch\nresnet18,t4,1\nresnet18,t4,x\nresnet18,t4,2\n");
  EXPECT_EQ(outcome.answers.row(0).error, "");
  EXPECT_NE(outcome.answers.row(1).error, "");
  EXPECT_EQ(outcome.answers.row(2).predicted, Seconds{2});
}

// After a network that cannot be built, the next one is built afresh.
TEST(CaseFile, AGraphThatFailsIsNotReused) {
  const Outcome outcome = answer("net,gpu,batch,image\nalexnet,t4,1,1\nalexnet,t4,1,224\n");
  EXPECT_NE(outcome.answers.row(0).error, "");
  EXPECT_EQ(outcome.answers.row(1).error, "");
}

TEST(CaseFile, ATableWithoutNetworksIsRefused) {
  EXPECT_EQ(error_of([] { answer("gpu,batch\nt4,1\n"); }).substr(0, 51),
            "cases.csv:1:1: error: there is no column 'net'\n  hi");
  CaseDefaults defaults;
  defaults.job.net = "resnet18";
  EXPECT_EQ(first_error("gpu,batch\nt4,1\n", defaults), "");
}

TEST(CaseFile, AColumnThatIsNearlyKnownIsPointedOut) {
  const auto lines = misspelt_columns(CsvTable::parse("net,gpu,presicion,note\na,b,c,d\n", "c.csv"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], "c.csv: column 'presicion' is copied, not read; did you mean 'precision'?");
  EXPECT_TRUE(misspelt_columns(CsvTable::parse("net,gpu,mode,model\na,b,c,d\n", "c.csv")).empty());
}

std::vector<Measurement> measured(const std::string& csv) {
  return read_measured(CsvTable::parse(csv, "m.csv"), catalog(), {});
}

TEST(MeasuredFile, TimesAreInSecondsOrMilliseconds) {
  const auto seconds = measured("net,gpu,batch,measured_s\nResNet18,T4,4,0.25\n");
  ASSERT_EQ(seconds.size(), 1U);
  EXPECT_EQ(seconds[0].job.net, "resnet18");
  EXPECT_EQ(seconds[0].gpu, "t4");
  EXPECT_EQ(seconds[0].step, Seconds{0.25});
  EXPECT_EQ(measured("net,gpu,measured_ms\nresnet18,t4,250\n")[0].step, Seconds{0.25});
}

TEST(MeasuredFile, BadRowsAreErrorsWithAPosition) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"net,gpu\nresnet18,t4\n", "m.csv:1:1: error: there is no column 'measured_s'"},
      {"net,gpu,measured_s\nresnet18,t4,0\n", "m.csv:2:13: error: '0' is no time"},
      {"net,gpu,measured_s\nresnet18,t4,-1\n", "m.csv:2:13: error: '-1' is no time"},
      {"net,gpu,measured_s\nresnet18,t4,nan\n", "m.csv:2:13: error: 'nan' is not a finite number"},
      {"net,gpu,measured_s\nresnet18,t4,\n", "m.csv:2:13: error: column 'measured_s' is empty here"},
      {"net,gpu,measured_s\nresnet18,t4,1\nresnet18,t5,1\n", "m.csv:3:10: error: unknown GPU 't5'"},
      {"net,gpu,batch,measured_s\nresnet18,t4,0,1\n", "m.csv:2:13: error: '0' is out of range"},
      {"net,gpu,measured_s,measured_ms\nresnet18,t4,1,1\n", "m.csv:1:20: error: both "},
      {"net,gpu,measured_s\n", "m.csv: error: the file has only a header"}};
  for (const auto& row : bad) {
    const std::string got = error_of([&] { measured(row.first); });
    EXPECT_TRUE(got.starts_with(row.second)) << got;
  }
}

TEST(MeasuredFile, ARowWithoutAGpuSaysWhichFieldNamesIt) {
  const CsvTable table = CsvTable::parse("net,batch,measured_ms\nresnet50,64,75\n", "timed.csv");
  CaseDefaults defaults;
  defaults.gpu_field = "from";
  EXPECT_THAT(error_of([&] { read_measured(table, catalog(), defaults); }),
              testing::HasSubstr("for all rows by `from`"));
  EXPECT_THAT(error_of([&] {
                read_measured(CsvTable::parse("net,gpu,measured_s\nresnet50,local,1\n", "t.csv"), catalog(),
                              {});
              }),
              testing::HasSubstr("'sextant calibrate'"));
  EXPECT_THAT(
      error_of([&] { read_measured(CsvTable::parse("net,gpu,measured_s\n", "t.csv"), catalog(), {}); }),
      testing::HasSubstr("has only a header"));
}

}  // namespace
}  // namespace sextant::predict
