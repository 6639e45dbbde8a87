// Exports of experiment trackers: hand-written samples of both kinds.
#include "sextant/predict/run_export.h"

#include <gmock/gmock.h>

#include "builtin.h"
#include "error_of.h"
#include "sextant/predict/case_file.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Measurement> measured(const std::string& csv, const std::vector<std::string>& mapping = {}) {
  std::vector<std::string> notes;
  const CsvTable table = as_measured(CsvTable::parse(csv, "runs.csv"), mapping, notes);
  return read_measured(table, test::catalog(), {.gpu = "t4"});
}

const std::string kWandb =
    "Name,State,Created,config/model,config/batch_size,config/precision,config/gpu_type,summary/"
    "step_time_ms\n"
    "sweep-1,finished,2026-11-01,resnet50,32,16-mixed,NVIDIA A100-SXM4-40GB,61\n"
    "sweep-2,crashed,2026-11-01,resnet50,64,16-mixed,NVIDIA A100-SXM4-40GB,9999\n"
    "sweep-3,finished,2026-11-01,resnet50,64,16-mixed,NVIDIA A100-SXM4-40GB,\n"
    "sweep-4,finished,2026-11-02,vgg16,32,32-true,V100,140\n";

const std::string kMlflow =
    "run_id,status,params.arch,params.batch_size,params.image_size,metrics.step_time,metrics.loss,tags.user\n"
    "a1,FINISHED,resnet18,64,224,0.05,1.5,me\n"
    "a2,FAILED,resnet18,128,224,0.01,,me\n"
    "a3,FINISHED,resnet18,128,160,0.06,1.4,me\n";

TEST(RunExport, ReadsWeightsAndBiases) {
  const auto runs = measured(kWandb);
  ASSERT_EQ(runs.size(), 2U) << "one crashed, one has no time";
  EXPECT_EQ(runs[0].job.net, "resnet50");
  EXPECT_EQ(runs[0].job.sizes.batch, 32);
  EXPECT_EQ(runs[0].job.precision, Precision::fp16);
  EXPECT_EQ(runs[0].gpu, "a100-sxm4-40gb");
  EXPECT_NEAR(runs[0].step.value, 0.061, 1e-12);
  EXPECT_EQ(runs[1].job.precision, Precision::fp32);
}

TEST(RunExport, ReadsMlflow) {
  const auto runs = measured(kMlflow);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].job.sizes.batch, 128);
  EXPECT_EQ(runs[1].job.sizes.image, 160);
  EXPECT_EQ(runs[1].gpu, "t4") << "the file does not name it";
  EXPECT_NEAR(runs[1].step.value, 0.06, 1e-12) << "a time without a unit is in seconds";
}

TEST(RunExport, SaysWhatItMadeOfTheColumns) {
  std::vector<std::string> notes;
  as_measured(CsvTable::parse(kMlflow, "runs.csv"), {}, notes);
  EXPECT_THAT(notes, ElementsAre("reading runs.csv: step time (s) = 'metrics.step_time', batch = "
                                 "'params.batch_size', image = 'params.image_size', net = 'params.arch'",
                                 "runs.csv: 1 of 3 runs is left out: it did not finish, or has no time"));
}

// As `sextant records export` writes it; a tracker's "step" is a count.
TEST(RunExport, ReadsTheRecordsOfThisProgram) {
  const auto runs =
      measured("id,kind,net,gpu,batch,step_s,step_p10_s\n1,training-step,lenet5,t4,32,0.004,0.003\n");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_NEAR(runs[0].step.value, 0.004, 1e-12);
  EXPECT_THAT(error_of([] { measured("model,metrics.step\nresnet18,500\n"); }),
              HasSubstr("no column holds the time"));
}

TEST(RunExport, TakesAMapping) {
  const std::string csv = "params.bs,params.which,metrics.t\n8,resnet18,50\n";
  const auto runs = measured(csv, {"batch=params.bs", "net=params.which", "measured_ms=metrics.t"});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].job.sizes.batch, 8);
  EXPECT_NEAR(runs[0].step.value, 0.05, 1e-12);
}

// What trainers print: 64 images at 800 images/s take 80 ms.
TEST(RunExport, TakesRates) {
  const auto runs = measured("net,gpu,batch,img_per_s\nresnet50,t4,64,800\nresnet50,t4,32,\n");
  ASSERT_EQ(runs.size(), 1U) << "one has no rate";
  EXPECT_NEAR(runs[0].step.value, 0.08, 1e-12);
  EXPECT_EQ(runs[0].at.line, 2);
  const auto mapped = measured("model,bs,speed\nresnet50,8,100\n", {"batch=bs", "samples_per_s=speed"});
  ASSERT_EQ(mapped.size(), 1U);
  EXPECT_NEAR(mapped[0].step.value, 0.08, 1e-12);
  EXPECT_NEAR(measured("net,gpu,batch,ms\nresnet50,t4,64,80\n").at(0).step.value, 0.08, 1e-12);
  EXPECT_THAT(error_of([] { measured("net,img_per_s\nresnet50,800\n"); }),
              HasSubstr("gives the time of a step only with its batch"));
}

TEST(RunExport, LeavesFilesWithTheirOwnColumnsAlone) {
  std::vector<std::string> notes;
  const CsvTable plain = CsvTable::parse("net,gpu,batch,measured_ms,model\nresnet18,t4,8,5,x\n", "runs.csv");
  EXPECT_EQ(as_measured(plain, {}, notes).header(), plain.header());
  EXPECT_TRUE(notes.empty());
}

TEST(RunExport, ErrorsPointAndHint) {
  EXPECT_THAT(error_of([] { measured("a,b\n1,2\n"); }),
              HasSubstr("runs.csv:1:1: error: no column holds the time"));
  EXPECT_THAT(error_of([] { measured("step_time_s,b\n1,2\n"); }), HasSubstr("no column names the network"));
  EXPECT_THAT(error_of([] { measured("step_time_s,metrics.step_time,model\n1,2,x\n"); }),
              HasSubstr("both 'step_time_s' and 'metrics.step_time' could be"));
  EXPECT_THAT(error_of([] { measured(kMlflow, {"bach=params.batch_size"}); }), HasSubstr("maps no column"));
  EXPECT_THAT(error_of([] { measured(kMlflow, {"batch=params.bs"}); }), HasSubstr("params.bs"));
  EXPECT_THAT(error_of([] { measured("model,world_size,step_time_s\nresnet18,8,1\n"); }),
              HasSubstr("a step of several GPUs"));
  // The line is that of the export, though a run before it was left out.
  EXPECT_THAT(
      error_of([] { measured("status,model,batch,step_time_s\nFAILED,x,1,1\nFINISHED,resnet18,no,1\n"); }),
      HasSubstr(":3:"));
}

}  // namespace
}  // namespace sextant::predict
