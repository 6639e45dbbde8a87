#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {
namespace {

TEST(StrategyText, ReadsNamesAliasesNumbersAndWords) {
  const ParallelChoice pipeline = parse_strategy("Pipeline: micro=8 :schedule=GPipe");
  EXPECT_EQ(pipeline.strategy->id, "pipeline");
  EXPECT_EQ(to_string(pipeline), "pipeline:micro=8:schedule=gpipe");
  EXPECT_EQ(parse_strategy("data+filter").strategy->id, "data-filter");
  EXPECT_EQ(parse_strategy("fsdp").strategy->id, "zero-3");
  EXPECT_EQ(to_string(parse_strategy("ps:staleness=async:tail=0.1")),
            "parameter-server:staleness=async:tail=0.1");
  EXPECT_EQ(to_string(parse_strategy("data:bucket=25e6")), "data");
}

TEST(StrategyText, SaysWhatIsWrong) {
  const auto fault = [](const char* text) {
    return sextant::test::error_of([&] { parse_strategy(text, at_field("parallel")); });
  };
  EXPECT_EQ(fault("pipelin"),
            "`parallel`: error: unknown strategy 'pipelin'\n  hint: did you mean 'pipeline'?");
  EXPECT_EQ(fault("pipeline:mirco=8"),
            "`parallel`: error: strategy 'pipeline' has no parameter 'mirco'\n  hint: did you mean 'micro'?");
  EXPECT_EQ(
      fault("pipeline:8"),
      "`parallel`: error: '8' after a strategy is no NAME=VALUE\n  hint: as in pipeline:micro=8:stages=4");
  EXPECT_EQ(fault("pipeline:schedule=fast"),
            "`parallel`: error: 'fast' is no value of pipeline:schedule\n  hint: gpipe, 1f1b, or 0 to 1");
  EXPECT_EQ(fault("data:overlap=2"),
            "`parallel`: error: data:overlap=2 is out of bounds\n  hint: a number, 0 to 1");
  EXPECT_EQ(fault("data-filter:group=2.5"),
            "`parallel`: error: data-filter:group=2.5 is no whole number\n  hint: a number, 0 to 1e+06");
  for (const char* text : {"", ":", "data:", "data:=", "data:bucket=", "data:bucket=nan", "data:bucket=-1"}) {
    EXPECT_NE(fault(text), "no error") << text;
  }
}

TEST(StrategyText, Layouts) {
  ParallelDegrees degrees;
  EXPECT_EQ(to_string(degrees), "one device");
  degrees.data = 8;
  degrees.shards = 4;
  degrees.split = ParallelDegrees::Split::filter;
  EXPECT_EQ(to_string(degrees), "data 8 x filter 4");
  degrees = {};
  degrees.data = 2;
  degrees.stages = 4;
  degrees.micro = 8;
  EXPECT_EQ(to_string(degrees), "data 2 x 4 stages, 8 micro-batches");
  degrees = {};
  degrees.data = 8;
  degrees.zero = 3;
  EXPECT_EQ(to_string(degrees), "data 8, ZeRO stage 3");
  degrees.zero = 0;
  degrees.servers = 1;
  EXPECT_EQ(to_string(degrees), "data 8, 1 server");
}

}  // namespace
}  // namespace sextant::parallel
