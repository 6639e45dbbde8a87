#include "sextant/scaling/placement.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant {
namespace {

using test::error_of;

TEST(Placement, DigitsAreNodes) {
  const Placement placement = parse_placement("134");
  EXPECT_EQ(placement.gpus, (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(placement.nodes(), 3);
  EXPECT_EQ(placement.count(), 8);
  EXPECT_EQ(placement.largest(), 4);
  EXPECT_EQ(placement.smallest(), 1);
}

TEST(Placement, SeparatorsAllowLargerNodes) {
  EXPECT_EQ(parse_placement("4,4,12").gpus, (std::vector<int>{4, 4, 12}));
  EXPECT_EQ(parse_placement(" 16, ").gpus, (std::vector<int>{16}));
  EXPECT_EQ(parse_placement("8+8").gpus, (std::vector<int>{8, 8}));
}

TEST(Placement, ItsTextReadsBack) {
  for (const char* text : {"1", "134", "88", "4,4,12", "16,", "10,1"}) {
    const Placement placement = parse_placement(text);
    EXPECT_EQ(placement.text(), text);
    EXPECT_EQ(parse_placement(placement.text()), placement);
  }
}

TEST(Placement, EvenIsAsEvenAsItGoes) {
  EXPECT_EQ(even_placement(7, 3).gpus, (std::vector<int>{3, 2, 2}));
  EXPECT_EQ(even_placement(8, 1).gpus, (std::vector<int>{8}));
  EXPECT_EQ(even_placement(4, 4).gpus, (std::vector<int>{1, 1, 1, 1}));
}

TEST(Placement, WhatIsNoneIsRefused) {
  for (const char* text : {"", "0", "104", "-1", "4,0", "4,,4", "a", "4;4", "1e3", "99999999,", "4.5"}) {
    EXPECT_NE(error_of([&] { parse_placement(text); }), "no error") << text;
  }
  EXPECT_NE(error_of([] { even_placement(0, 1); }), "no error");
  EXPECT_NE(error_of([] { even_placement(2, 3); }), "no error");
  EXPECT_NE(error_of([] { even_placement(2, 0); }), "no error");
  EXPECT_NE(error_of([] { even_placement(1LL << 40, 1); }), "no error");
}

}  // namespace
}  // namespace sextant
