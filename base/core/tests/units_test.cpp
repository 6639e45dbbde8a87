#include "sextant/core/units.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

const SourcePos kAt{"f.toml", 3, 7};

using test::error_of;

TEST(Units, DimensionsFollowFromArithmetic) {
  const Seconds time = Bytes{8e9} / Bandwidth{4e9};
  EXPECT_EQ(time, Seconds{2});
  const double ratio = Seconds{3} / Seconds{2};
  EXPECT_EQ(ratio, 1.5);
  EXPECT_EQ(Watts{300} * Seconds{10}, Joules{3000});
}

TEST(Units, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_bytes("16 GiB", kAt), Bytes{17179869184.0});
  EXPECT_EQ(parse_bytes("16GB", kAt), Bytes{16e9});
  EXPECT_EQ(parse_bandwidth("100 Gbit/s", kAt), Bandwidth{12.5e9});
  EXPECT_EQ(parse_flop_rate("15.7 TFLOP/s", kAt), FlopRate{15.7e12});
  EXPECT_EQ(parse_flop_rate("1 EFLOP/s", kAt), FlopRate{1e18});
  EXPECT_EQ(parse_dollar_rate("3.06 USD/h", kAt) * kHour, Dollars{3.06});
  EXPECT_EQ(parse_seconds("5 min", kAt), Seconds{300});
  EXPECT_EQ(parse_hertz("1530 MHz", kAt), Hertz{1.53e9});
  EXPECT_EQ(parse_watts("300 W", kAt), Watts{300});
}

TEST(Units, ANumberWithoutUnitIsRefused) {
  EXPECT_EQ(error_of([] { parse_bytes("16", kAt); }),
            "f.toml:3:7: error: '16' has no unit\n  hint: one of: B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB");
}

TEST(Units, UnknownUnitsAreNamed) {
  EXPECT_EQ(error_of([] { parse_dollar_rate("3 EUR/h", kAt); }),
            "f.toml:3:7: error: unknown unit 'EUR/h'\n  hint: one of: USD/h");
}

TEST(Units, NegativeAndHugeValuesAreRefused) {
  EXPECT_NE(error_of([] { parse_bytes("-1 GB", kAt); }), "no error");
  EXPECT_NE(error_of([] { parse_bytes("1e999 GB", kAt); }), "no error");
  EXPECT_NE(error_of([] { parse_bytes("nan GB", kAt); }), "no error");
  EXPECT_NE(error_of([] { parse_bytes("", kAt); }), "no error");
}

TEST(Units, PrintsThreeDigitsWithAFittingPrefix) {
  EXPECT_EQ(human(Seconds{0.0124}), "12.4 ms");
  EXPECT_EQ(human(Seconds{}), "0 s");
  EXPECT_EQ(human(Seconds{7200}), "2.00 h");
  EXPECT_EQ(human(Bytes{102228128}), "97.5 MiB");
  EXPECT_EQ(human(FlopRate{15.7e12}), "15.7 TFLOP/s");
  EXPECT_EQ(human(DollarRate{3.06 / 3600}), "3.060 USD/h");
  EXPECT_EQ(human(Dollars{1234567.4}), "1,234,567 USD");
  EXPECT_EQ(human(Dollars{-1234.5}), "-1,234 USD");
  EXPECT_EQ(human(Seconds{86400 * 1500.0}), "1,500 d");
  EXPECT_EQ(human_count(25557032), "25.6 M");
  EXPECT_EQ(human_count(999), "999");
}

TEST(UnitText, ExamplesAreWhatPeopleWrite) {
  try {
    (void)parse_seconds("tomorrow", {});
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.hint(), "a number and a unit, such as '1 s'");
  }
}

}  // namespace
}  // namespace sextant
