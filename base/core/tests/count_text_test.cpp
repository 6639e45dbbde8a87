#include "sextant/core/count_text.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

TEST(CountText, UnderstandsPowersOfAThousand) {
  EXPECT_EQ(to_count("15T"), 15e12);
  EXPECT_EQ(to_count("1.5B"), 1.5e9);
  EXPECT_EQ(to_count("4.1G"), 4'100'000'000.0) << "whole, as it was written";
  EXPECT_EQ(to_count(" 64 k"), 64'000);
  EXPECT_EQ(to_count("1e12"), 1e12);
  EXPECT_EQ(to_count("12"), 12);
}

TEST(CountText, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "T", "1.5Bn", "15 tokens", "1e3e3M", "0x10k"})
    EXPECT_EQ(to_count(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sextant
