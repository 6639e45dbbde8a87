#include "sextant/core/plain_number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/core/rng.h"
#include "sextant/core/text.h"

namespace sextant {
namespace {

TEST(PlainNumber, WholeNumbersAreDigits) {
  EXPECT_EQ(plain_number_text(100000), "100000");
  EXPECT_EQ(plain_number_text(-3000000), "-3000000");
  EXPECT_EQ(plain_number_text(0), "0");
  EXPECT_EQ(plain_number_text(0.5), "0.5");
  EXPECT_EQ(plain_number_text(1e20), "1e+20");
}

TEST(PlainNumber, ReadsBackTheSame) {
  Rng rng = Rng(3).stream("numbers");
  for (int i = 0; i < 1000; ++i) {
    const double scale = std::pow(10, 40 * rng.uniform() - 20);
    const double value = std::round((rng.uniform() - 0.5) * 100) * scale;
    EXPECT_EQ(to_number(plain_number_text(value)), value);
  }
}

}  // namespace
}  // namespace sextant
