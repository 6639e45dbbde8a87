// Placements as people write them, and what is refused.
#include "sextant/jobs/placement.h"

#include <gmock/gmock.h>

namespace sextant {
namespace {

using testing::ElementsAre;

TEST(Placement, ReadsDigitsAndSums) {
  EXPECT_THAT(parse_placement("134").gpus, ElementsAre(1, 3, 4));
  EXPECT_THAT(parse_placement(" 16+8 ").gpus, ElementsAre(16, 8));
  EXPECT_EQ(parse_placement("134").total(), 8);
  EXPECT_EQ(parse_placement("134").fullest(), 4);
  EXPECT_FALSE(parse_placement("134").even());
  EXPECT_TRUE(parse_placement("44").even());
}

TEST(Placement, WritesWhatItReads) {
  for (const char* text : {"1", "44", "134", "16+16"}) EXPECT_EQ(to_string(parse_placement(text)), text);
}

TEST(Placement, RefusesWhatIsNoPlacement) {
  for (const char* text : {"", "0", "40", "4a", "-4", "4+", "+", "4.0", "99999999999+1"}) {
    EXPECT_THROW(parse_placement(text), InputError) << text;
  }
}

TEST(Placement, SpreadsEvenlyOrSaysThatItCannot) {
  EXPECT_THAT(spread_evenly(12, 3).gpus, ElementsAre(4, 4, 4));
  EXPECT_THROW(spread_evenly(10, 4), InputError);
  EXPECT_THROW(spread_evenly(4, 0), InputError);
}

TEST(Placement, FillsOneNodeAfterAnother) {
  EXPECT_THAT(fill_nodes(12, 8).gpus, ElementsAre(8, 4));
  EXPECT_THAT(fill_nodes(3, 8).gpus, ElementsAre(3));
}

}  // namespace
}  // namespace sextant
