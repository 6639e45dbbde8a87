// Timed steps that cannot be what they are said to be, and answers that no device could keep.
#include <gmock/gmock.h>

#include "builtin.h"
#include "sextant/predict/case_file.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {
namespace {

using test::catalog;
using test::gpu;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Asked {
  std::string net = "resnet50";
  std::int64_t batch = 64;
  Precision precision = Precision::fp32;
};

jobs::Job job_for(const Asked& asked) {
  jobs::Job job;
  job.net = asked.net;
  job.sizes = {.batch = asked.batch};
  job.precision = asked.precision;
  return job;
}

// Rows of a file with the columns of cases and a time in ms, and what the predictor says of them.
struct Timed {
  explicit Timed(const std::string& rows) {
    const CsvTable table = CsvTable::parse("net,gpu,batch,precision,measured_ms\n" + rows, "t1.csv");
    const std::vector<Measurement> measured = read_measured(table, catalog(), {});
    kernel = predictors().get("kernel").make({.catalog = &catalog(), .measured = measured, .notes = &notes});
  }
  Prediction predict(const Asked& asked, const std::string& on) const { return ask(*kernel, asked, on); }

  static Prediction ask(const Predictor& predictor, const Asked& asked, const std::string& on) {
    const jobs::Job job = job_for(asked);
    const nets::Graph graph = build(nets::zoo().get(asked.net), job.sizes);
    return predictor.predict({job, graph, cost(graph, asked.precision), gpu(on)});
  }

  std::vector<std::string> notes;
  std::unique_ptr<Predictor> kernel;
};

Prediction untimed(const Asked& asked, const std::string& on) {
  return Timed::ask(*predictors().get("kernel").make({.catalog = &catalog()}), asked, on);
}
Prediction roofline(const Asked& asked, const std::string& on) {
  return Timed::ask(*predictors().get("roofline").make({.catalog = &catalog()}), asked, on);
}

const Asked kBert{.net = "bert-base", .batch = 16};

// Half of what products take at the rate of fp32, in ms.
std::string half_of_bound(std::int64_t batch) {
  const Asked asked{.net = "bert-base", .batch = batch};
  return std::to_string(0.5e3 * roofline(asked, "a100").iteration.value);
}

TEST(TimingDoubts, AStepBelowWhatTheDeviceNeedsIsLeftOut) {
  const Timed timed("bert-base,a100,16,," + half_of_bound(16) + "\nbert-base,a100,32,," + half_of_bound(32) +
                    "\n");
  EXPECT_THAT(
      timed.notes,
      ElementsAre(testing::AllOf(HasSubstr("t1.csv:2: "), HasSubstr(" ms is below the "),
                                 HasSubstr("a100-sxm4-40gb needs at least in fp32: was it tf32 or fp16?")),
                  HasSubstr("t1.csv:3: "), HasSubstr("none of the timings is used")));
  for (const char* on : {"v100", "a100", "t4"}) {
    EXPECT_EQ(timed.predict(kBert, on).iteration, untimed(kBert, on).iteration) << on;
    EXPECT_GE(timed.predict(kBert, on).iteration, roofline(kBert, on).iteration) << on;
  }
}

TEST(TimingDoubts, InTheFormatThatItRanInItIsBelieved) {
  const Timed timed("bert-base,a100,16,tf32," + half_of_bound(16) + "\n");
  EXPECT_THAT(timed.notes, IsEmpty());
  const Asked asked{.net = "bert-base", .batch = 16, .precision = Precision::tf32};
  EXPECT_NEAR(timed.predict(asked, "a100").iteration.value, 0.5 * roofline(kBert, "a100").iteration.value,
              1e-9);
}

// PyTorch multiplies in tf32 within convolutions unless it is told not to, and users call that fp32. At
// 19.5 TFLOP/s a step of 64 images, 1.57 TFLOP, would take 81 ms.
TEST(TimingDoubts, ConvolutionsOfPyTorchAreNoDoubt) {
  const Timed timed("resnet50,a100,64,,75\nresnet50,a100,128,,147\n");
  EXPECT_THAT(timed.notes, IsEmpty());
  EXPECT_NEAR(timed.predict({}, "a100").iteration.value, 0.075, 1e-9);
  const Prediction p = untimed({}, "a100");
  EXPECT_LT(p.iteration.value, 0.1);
  EXPECT_EQ(p.notes.size(), 1U);
  EXPECT_THAT(p.notes.at(0), HasSubstr("convolutions in fp32 run as tf32"));
  EXPECT_THAT(untimed({}, "v100").notes.at(0), testing::Not(HasSubstr("tf32"))) << "Volta has none";
  EXPECT_THAT(untimed(kBert, "a100").notes.at(0), HasSubstr("leaves tensor cores idle"));
}

// Nothing is faster than fp16: a step below the count moves less than is counted, as fused software does.
TEST(TimingDoubts, TheFastestFormatLeavesNoDoubt) {
  const Prediction bound = roofline({.precision = Precision::fp16}, "a100");
  const Timed timed("resnet50,a100,64,fp16," + std::to_string(0.9e3 * bound.iteration.value) + "\n");
  EXPECT_THAT(timed.notes, IsEmpty());
  EXPECT_LT(timed.predict({.precision = Precision::fp16}, "a100").iteration, bound.iteration);
}

// A stack that runs fp32 as tf32 is held against the peak of tf32.
TEST(TimingDoubts, WhatTheStackRunsCounts) {
  const CsvTable table = CsvTable::parse(
      "net,gpu,batch,stack,measured_ms\nbert-base,a100,16,tensorflow," + half_of_bound(16) + "\n", "t1.csv");
  std::vector<std::string> notes;
  const auto measured = read_measured(table, catalog(), {});
  (void)predictors().get("kernel").make({.catalog = &catalog(), .measured = measured, .notes = &notes});
  EXPECT_THAT(notes, IsEmpty());
}

// No timing, however fast it is within its bound, makes an answer for another device faster than its peak
// rates allow. Transformers have no convolution that Winograd could shorten.
TEST(TimingDoubts, NoAnswerIsBelowTheBoundOfItsDevice) {
  const Asked asked{.net = "bert-base", .batch = 16};
  const Seconds least = roofline(asked, "a100").iteration;
  const Timed timed("bert-base,a100,16,," + std::to_string(1.001e3 * least.value) + "\n");
  ASSERT_THAT(timed.notes, IsEmpty());
  for (const char* on : {"a100", "v100", "t4", "a10g", "p100", "h100"}) {
    for (const std::int64_t batch : {1, 16, 64}) {
      const Asked other{.net = "bert-base", .batch = batch};
      const Prediction p = timed.predict(other, on);
      // The bound itself is a sum of doubles.
      EXPECT_GE(p.iteration.value, roofline(other, on).iteration.value * (1 - 1e-9)) << on << ", " << batch;
      EXPECT_GE(p.interval.low.value, roofline(other, on).iteration.value * (1 - 1e-9))
          << on << ", " << batch;
      EXPECT_GE(p.interval.high, p.iteration);
      EXPECT_NEAR(p.breakdown.total().value, p.iteration.value, 1e-9);
    }
  }
}

TEST(TimingDoubts, ATimeInAnotherUnitIsAskedAbout) {
  const Timed timed("resnet50,a100,64,,75000\nresnet50,t4,64,,400\n");
  EXPECT_THAT(timed.notes,
              ElementsAre(testing::AllOf(HasSubstr("t1.csv:2: 1.25 min is "),
                                         HasSubstr("times longer than predicted: is the unit right?"))));
}

// A second for a millisecond among good rows: it is told and not used.
TEST(TimingDoubts, ATimeInAnotherUnitIsLeftOut) {
  const Timed good("resnet50,t4,32,,230\nresnet50,t4,64,,440\n");
  const Timed mistyped("resnet50,t4,32,,230\nresnet50,t4,64,,440\nresnet50,t4,128,,860000\n");
  ASSERT_THAT(good.notes, IsEmpty());
  EXPECT_THAT(mistyped.notes, ElementsAre(testing::AllOf(HasSubstr("t1.csv:4: 14.3 min is "),
                                                         HasSubstr("The row is left out"))));
  EXPECT_EQ(mistyped.predict({.batch = 128}, "t4").iteration, good.predict({.batch = 128}, "t4").iteration);
}

TEST(TimingDoubts, AStepThirtyTimesOffIsUsedAndAskedAbout) {
  const Timed timed("resnet50,t4,64,,14000\n");
  ASSERT_EQ(timed.notes.size(), 1U);
  EXPECT_THAT(timed.notes[0],
              testing::AllOf(HasSubstr("is the unit right?"), testing::Not(HasSubstr("left out"))));
  EXPECT_NEAR(timed.predict({}, "t4").iteration.value, 14, 1e-9);
}

TEST(TimingDoubts, ManyRowsMakeFewNotes) {
  std::string rows;
  for (int i = 0; i < 10; ++i) rows += "bert-base,a100,16,," + half_of_bound(16) + "\n";
  const Timed timed(rows);
  ASSERT_EQ(timed.notes.size(), 5U);  // and that none is used
  EXPECT_EQ(timed.notes[3], "7 more rows are left out for the same reason");
}

}  // namespace
}  // namespace sextant::predict
