#include "sextant/core/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace sextant {
namespace {

const std::vector<std::string> kGpus = {"v100", "a100", "h100", "rtx-2080-ti", "t4"};

TEST(Text, NumbersMustBeWhole) {
  EXPECT_EQ(to_number("1.5e3"), 1500.0);
  EXPECT_EQ(to_number("+2"), 2.0);
  EXPECT_FALSE(to_number("1.5x").has_value());
  EXPECT_FALSE(to_number("").has_value());
  EXPECT_FALSE(to_number("+-5").has_value());
  EXPECT_FALSE(to_number(" 1").has_value());
  EXPECT_FALSE(to_number("0x10").has_value());
  EXPECT_EQ(to_integer("-3"), -3);
  EXPECT_FALSE(to_integer("3.0").has_value());
  EXPECT_FALSE(to_integer("9223372036854775808").has_value());
}

TEST(Text, NamesFoldCaseAndSeparators) {
  EXPECT_EQ(fold_name("RTX 2080 Ti"), "rtx-2080-ti");
  EXPECT_EQ(fold_name("vgg16_bn"), "vgg16-bn");
}

TEST(Text, SuggestsTheNearestName) {
  EXPECT_EQ(nearest_name("v10O", kGpus), "v100");
  EXPECT_EQ(nearest_name("v010", kGpus), "v100");  // neighbours swapped
  EXPECT_EQ(nearest_name("RTX 2080", kGpus), std::nullopt);
  EXPECT_EQ(nearest_name("rtx-2080-it", kGpus), "rtx-2080-ti");
  EXPECT_EQ(nearest_name("", kGpus), std::nullopt);
}

TEST(Text, HintListsAShortSetWhenNothingIsNear) {
  EXPECT_EQ(name_hint("quadro", kGpus), "one of: v100, a100, h100, rtx-2080-ti, t4");
  const std::vector<std::string> many(20, "abcdefgh");
  EXPECT_EQ(name_hint("zzz", many), "");
}

TEST(Text, HostileNamesAreCheap) {
  const std::string huge(1000000, 'x');
  EXPECT_EQ(nearest_name(huge, kGpus), std::nullopt);
}

TEST(Text, NumbersPrintShortAndReadBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(32), "32");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::quiet_NaN()), "nan");
  for (const double value : {1.0 / 3, 1e-300, 6.02214076e23, 5e-324})
    EXPECT_EQ(to_number(number_text(value)), value);
}

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}, "; "), "a; b");
  EXPECT_EQ(trim("  x y \r\n"), "x y");
}

TEST(Text, PartsOfLongNamesAreRecognised) {
  std::vector<std::string> known = {"aws/p4d.24xlarge"};
  for (int i = 0; i < 20; ++i) known.push_back("aws/other" + std::to_string(i) + ".xlarge");
  EXPECT_EQ(name_hint("p4d", known), "did you mean 'aws/p4d.24xlarge'?");
  EXPECT_EQ(
      name_hint("other", known),
      "did you mean 'aws/other0.xlarge' or 'aws/other1.xlarge' or 'aws/other2.xlarge', or one of 17 more?");
  EXPECT_EQ(name_hint("zzz", known), "");
}

}  // namespace
}  // namespace sextant
