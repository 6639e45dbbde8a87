#include "sextant/core/precision.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

TEST(Precision, NamesSurviveARoundTrip) {
  for (const std::string& name : precision_names()) EXPECT_EQ(to_string(parse_precision(name)), name);
  EXPECT_EQ(precision_names().size(), 9U);
  EXPECT_THROW(parse_precision("int8"), InputError);
}

TEST(Precision, Tf32KeepsFourByteTensors) {
  EXPECT_EQ(element_size(Precision::tf32), Bytes{4});
  EXPECT_EQ(element_size(Precision::fp16), Bytes{2});
}

// Products run in fewer bits, tensors stay in two bytes.
TEST(Precision, FormatsBelowSixteenBitsKeepTwoByteTensors) {
  for (const auto precision : {Precision::bf16, Precision::fp8, Precision::mxfp8, Precision::nvfp4}) {
    EXPECT_EQ(element_size(precision), Bytes{2});
    EXPECT_TRUE(keeps_master_weights(precision));
  }
  EXPECT_FALSE(keeps_master_weights(Precision::bf16_pure));
  EXPECT_FALSE(keeps_master_weights(Precision::fp32));
}

TEST(Precision, KnowsWhatFrameworksWrite) {
  EXPECT_EQ(parse_precision("bfloat16"), Precision::bf16);
  EXPECT_EQ(parse_precision("bf16-amp"), Precision::bf16);
  EXPECT_EQ(parse_precision("BF16_mixed"), Precision::bf16);
  EXPECT_EQ(parse_precision("fp8-rowwise"), Precision::fp8);
}

}  // namespace
}  // namespace sextant
