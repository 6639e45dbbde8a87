// W3C Trace Context, level 1, section 3.2.
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/core/rng.h"
#include "sextant/spans/span.h"

namespace sextant::spans {
namespace {

// The example of the recommendation.
constexpr const char* kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceContext, ReadsTheExampleOfTheRecommendation) {
  const TraceContext context = parse_traceparent(kExample);
  EXPECT_EQ(context.trace, (TraceId{0x4bf92f3577b34da6U, 0xa3ce929d0e0e4736U}));
  EXPECT_EQ(context.span, 0x00f067aa0ba902b7U);
  EXPECT_TRUE(context.sampled);
  EXPECT_EQ(traceparent(context), kExample);
}

TEST(TraceContext, OtherFlagsAreIgnored) {
  EXPECT_FALSE(parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02").sampled);
  EXPECT_TRUE(parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff").sampled);
}

TEST(TraceContext, LaterVersionsMayHaveMoreBehindADash) {
  const std::string later = "cc" + std::string(kExample).substr(2);
  EXPECT_EQ(parse_traceparent(later).span, 0x00f067aa0ba902b7U);
  EXPECT_EQ(parse_traceparent(later + "-what-the-future-brings").span, 0x00f067aa0ba902b7U);
  EXPECT_THROW(parse_traceparent(later + ".more"), InputError);
  EXPECT_THROW(parse_traceparent(std::string(kExample) + "-more"), InputError);
}

TEST(TraceContext, InvalidHeadersAreRefusedWithTheirPlace) {
  const auto error = [](const std::string& text) {
    return sextant::test::error_of([&] { (void)parse_traceparent(text, {"trial.json", 3, 10}); });
  };
  const std::string hint = "\n  hint: 00-<32 hex>-<16 hex>-<2 hex>, lower case";
  EXPECT_EQ(error(""), "trial.json:3:10: error: traceparent: ends after 0 characters" + hint);
  EXPECT_EQ(error("ff" + std::string(kExample).substr(2)),
            "trial.json:3:10: error: traceparent: version ff is invalid" + hint);
  EXPECT_EQ(
      error("00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
      "trial.json:3:14: error: traceparent: a character that is no lower-case hexadecimal digit" + hint);
  EXPECT_EQ(error("00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01"),
            "trial.json:3:45: error: traceparent: '-' expected" + hint);
  EXPECT_EQ(error("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
            "trial.json:3:13: error: traceparent: a trace id of zeros\n"
            "  hint: ids of zeros mean that there is none");
  EXPECT_EQ(error("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"),
            "trial.json:3:46: error: traceparent: a span id of zeros\n"
            "  hint: ids of zeros mean that there is none");
}

TEST(TraceContext, WhatIsWrittenReadsBack) {
  Rng draw = Rng(7).stream("contexts");
  for (int i = 0; i < 1000; ++i) {
    TraceContext context;
    context.trace.high = draw.bits();
    context.trace.low = draw.bits() | 1;
    context.span = draw.bits() | 1;
    context.sampled = draw.below(2) == 1;
    const TraceContext read = parse_traceparent(traceparent(context));
    EXPECT_EQ(read.trace, context.trace);
    EXPECT_EQ(read.span, context.span);
    EXPECT_EQ(read.sampled, context.sampled);
  }
}

}  // namespace
}  // namespace sextant::spans
