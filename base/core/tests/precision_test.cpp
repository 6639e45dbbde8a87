#include "sextant/core/precision.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

TEST(Precision, NamesSurviveARoundTrip) {
  for (const auto precision : {Precision::fp32, Precision::tf32, Precision::fp16}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  }
  EXPECT_THROW(parse_precision("fp8"), InputError);
}

TEST(Precision, Tf32KeepsFourByteTensors) {
  EXPECT_EQ(element_size(Precision::tf32), Bytes{4});
  EXPECT_EQ(element_size(Precision::fp16), Bytes{2});
}

TEST(Precision, FormatsThatAreNotModelledNameOneThatIs) {
  try {
    (void)parse_precision("bf16");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.hint(), "fp16 has the same speed and memory");
  }
}

}  // namespace
}  // namespace sextant
