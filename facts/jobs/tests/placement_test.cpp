// Placements as people write them, and what is refused.
#include "sextant/jobs/placement.h"

#include <gmock/gmock.h>

#include "sextant/jobs/layout.h"

namespace sextant::jobs {
namespace {

using testing::ElementsAre;

TEST(Placement, ReadsDigitsAndSums) {
  EXPECT_THAT(parse_placement("134").gpus, ElementsAre(1, 3, 4));
  EXPECT_THAT(parse_placement(" 16+8 ").gpus, ElementsAre(16, 8));
  EXPECT_THAT(parse_placement("4, 4, 12").gpus, ElementsAre(4, 4, 12));
  EXPECT_EQ(parse_placement("134").total(), 8);
  EXPECT_EQ(parse_placement("134").fullest(), 4);
  EXPECT_FALSE(parse_placement("134").even());
  EXPECT_TRUE(parse_placement("44").even());
}

TEST(Placement, WritesWhatItReads) {
  for (const char* text : {"1", "44", "134", "16+16", "16+"})
    EXPECT_EQ(to_string(parse_placement(text)), text);
}

TEST(Placement, RefusesWhatIsNoPlacement) {
  for (const char* text : {"", "0", "40", "4a", "-4", "4++", "+", "4.0", "99999999999+1"}) {
    EXPECT_THROW(parse_placement(text), InputError) << text;
  }
}

TEST(Placement, SpreadsEvenlyOrSaysThatItCannot) {
  EXPECT_THAT(spread_evenly(12, 3).gpus, ElementsAre(4, 4, 4));
  EXPECT_THROW(spread_evenly(10, 4), InputError);
  EXPECT_THROW(spread_evenly(4, 0), InputError);
}

TEST(Placement, FillsOneNodeAfterAnother) {
  EXPECT_THAT(Placement::packed(12, 8).gpus, ElementsAre(8, 4));
  EXPECT_THAT(Placement::packed(3, 8).gpus, ElementsAre(3));
}

TEST(Place, FollowsWhatWasSaid) {
  EXPECT_EQ(place({}).total(), 1);
  EXPECT_THAT(place({.count = 12}).gpus, ElementsAre(8, 4));
  EXPECT_THAT(place({.count = 12, .nodes = 3}).gpus, ElementsAre(4, 4, 4));
  EXPECT_THAT(place({.nodes = 2, .on_each_node = 4}).gpus, ElementsAre(4, 4));
  EXPECT_THAT(place({.count = 8, .placement = parse_placement("134")}).gpus, ElementsAre(1, 3, 4));
}

TEST(Place, RefusesWhatContradictsItself) {
  EXPECT_THROW(place({.count = 9, .placement = parse_placement("134")}), InputError);
  EXPECT_THROW(place({.nodes = 2, .placement = parse_placement("134")}), InputError);
  EXPECT_THROW(place({.count = 9, .nodes = 2}), InputError);
  EXPECT_THROW(place({.count = std::int64_t{1} << 60}), InputError);
}

TEST(MixGpus, GivesEachKindItsShareOfTheNodes) {
  Layout layout{.placement = parse_placement("4422")};
  EXPECT_EQ(mix_gpus("v100 + t4", layout), "v100");
  EXPECT_THAT(layout.other_gpus, ElementsAre("t4"));
  EXPECT_THAT(layout.placement.classes, ElementsAre(0, 0, 1, 1));
  layout.placement = parse_placement("444");
  EXPECT_THROW(mix_gpus("v100+t4", layout), InputError);
  EXPECT_EQ(mix_gpus("v100", layout), "v100");
}

}  // namespace
}  // namespace sextant::jobs
