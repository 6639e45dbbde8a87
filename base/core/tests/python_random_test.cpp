// Expected numbers: printed by CPython 3.11's random module.
#include "sextant/core/python_random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sextant {
namespace {

struct Drawn {
  std::uint64_t seed;
  std::vector<std::uint32_t> words;
  double random;
  std::uint64_t below_26, below_big;
  std::vector<int> shuffled;
  double uniform;
  char choice;
};

TEST(PythonRandom, DrawsWhatPythonDraws) {
  const std::vector<Drawn> cases = {{0,
                                     {3626764237U, 1654615998U, 3255389356U},
                                     0.890243920837131,
                                     1,
                                     1067347797602U,
                                     {1, 0, 4, 5, 3, 2, 7, 6},
                                     2.2570302837260856,
                                     'c'},
                                    {42,
                                     {2746317213U, 478163327U, 107420369U},
                                     0.7415504997598329,
                                     7,
                                     305901360862U,
                                     {3, 7, 2, 0, 4, 6, 5, 1},
                                     1.5476740192226754,
                                     'a'},
                                    // 2^40 + 7: a key of two words
                                    {1099511627783U,
                                     {2635837658U, 3209733218U, 3500038837U},
                                     0.937932416386988,
                                     20,
                                     551799892330U,
                                     {0, 5, 1, 7, 6, 3, 4, 2},
                                     2.1741374715799036,
                                     'c'}};
  for (const Drawn& expected : cases) {
    PythonRandom random(expected.seed);
    for (const std::uint32_t word : expected.words) EXPECT_EQ(random.word(), word) << expected.seed;
    EXPECT_EQ(random.random(), expected.random);
    EXPECT_EQ(random.below(26), expected.below_26);
    EXPECT_EQ(random.below((1ULL << 40) + 5), expected.below_big);
    std::vector<int> items = {0, 1, 2, 3, 4, 5, 6, 7};
    random.shuffle(items);
    EXPECT_EQ(items, expected.shuffled);
    EXPECT_EQ(random.uniform(1.5, 3), expected.uniform);
    EXPECT_EQ(random.choice(std::string("abcdefg")), expected.choice);
  }
}

TEST(PythonRandom, GoesOnAfterItsStateIsUsedUp) {
  PythonRandom random(0);
  double last = 0;
  for (int i = 0; i < 2000; ++i) last = random.random();  // 4,000 words: the state is made anew six times
  EXPECT_EQ(last, 0.35278860284662805);
  random.seed(0);
  EXPECT_EQ(random.word(), 3626764237U);
}

}  // namespace
}  // namespace sextant
