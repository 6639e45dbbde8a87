// Two-level designs against the tables of the textbooks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "error_of.h"
#include "finite_field.h"
#include "hadamard.h"
#include "minimum_aberration.h"
#include "sextant/explore/design.h"
#include "space_fixture.h"
#include "words.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;
using test::two_level_space;
using Texts = std::vector<std::string>;

PlannedDesign made(const std::string& text, std::size_t factors, std::size_t blocks = 1) {
  const SearchSpace space = two_level_space(factors);
  return plan_design(text, {.space = space, .blocks = blocks});
}

std::map<std::string, Texts> alias_map(const PlannedDesign& design) {
  std::map<std::string, Texts> result;
  for (const AliasRow& row : design.aliases) result[row.effect] = row.aliases;
  return result;
}

// Up to two letters, as the published tables have them.
Texts short_aliases(const Texts& all) {
  Texts kept;
  std::ranges::copy_if(all, std::back_inserter(kept),
                       [](const std::string& word) { return word.size() <= 2; });
  return kept;
}

// Montgomery, Design and Analysis of Experiments, section 8.5: D = AB, E = AC, F = BC, G = ABC.
TEST(Fractional, AliasTableOfSevenFactorsInEightRuns) {
  const PlannedDesign design = made("fractional:runs=8", 7);
  EXPECT_EQ(design.runs.size(), 8U);
  EXPECT_EQ(design.resolution, 3);
  // 2^4 - 1 words: seven of three letters, seven of four, one of seven.
  EXPECT_EQ(design.defining_relation, (Texts{"ABD", "ACE", "AFG", "BCF", "BEG", "CDG", "DEF", "ABCG", "ABEF",
                                             "ACDF", "ADEG", "BCDE", "BDFG", "CEFG", "ABCDEFG"}));
  const auto aliases = alias_map(design);
  ASSERT_EQ(aliases.size(), 7U);  // every interaction of two stands beside a main effect
  EXPECT_EQ(short_aliases(aliases.at("A")), (Texts{"BD", "CE", "FG"}));
  EXPECT_EQ(short_aliases(aliases.at("B")), (Texts{"AD", "CF", "EG"}));
  EXPECT_EQ(short_aliases(aliases.at("C")), (Texts{"AE", "BF", "DG"}));
  EXPECT_EQ(short_aliases(aliases.at("D")), (Texts{"AB", "CG", "EF"}));
  EXPECT_EQ(short_aliases(aliases.at("E")), (Texts{"AC", "BG", "DF"}));
  EXPECT_EQ(short_aliases(aliases.at("F")), (Texts{"AG", "BC", "DE"}));
  EXPECT_EQ(short_aliases(aliases.at("G")), (Texts{"AF", "BE", "CD"}));
}

TEST(Fractional, HalfOfFourFactors) {
  for (const char* text :
       {"fractional:runs=8", "fractional:generators=D=ABC", "fractional:resolution=4", "fractional"}) {
    const PlannedDesign design = made(text, 4);
    EXPECT_EQ(design.runs.size(), 8U) << text;
    EXPECT_EQ(design.resolution, 4) << text;
    EXPECT_EQ(design.defining_relation, Texts{"ABCD"}) << text;
    const auto aliases = alias_map(design);
    EXPECT_EQ(aliases.at("A"), Texts{"BCD"});
    EXPECT_EQ(aliases.at("D"), Texts{"ABC"});
    EXPECT_EQ(aliases.at("AB"), Texts{"CD"});
    EXPECT_EQ(aliases.at("AD"), Texts{"BC"});
    EXPECT_EQ(aliases.size(), 4U + 3U);
    for (const PlannedRun& run : design.runs) {  // D = ABC in signs of -1 and 1
      const auto& x = run.configuration.values;
      const auto sign = [&](std::size_t i) { return 2 * x[i] - 1; };
      EXPECT_EQ(sign(3), sign(0) * sign(1) * sign(2));
    }
  }
}

// The runs themselves: an alias in the table is a product of columns that is equal in every run.
TEST(Fractional, AliasesHoldInTheRuns) {
  const PlannedDesign design = made("fractional:runs=16", 9);
  const auto column = [&](const std::string& word) {
    std::vector<double> signs;
    for (const PlannedRun& run : design.runs) {
      double product = 1;
      for (const char letter : word) {
        product *= 2 * run.configuration.values[std::string("ABCDEFGHJ").find(letter)] - 1;
      }
      signs.push_back(product);
    }
    return signs;
  };
  ASSERT_FALSE(design.aliases.empty());
  for (const AliasRow& row : design.aliases) {
    for (const std::string& alias : row.aliases)
      EXPECT_EQ(column(row.effect), column(alias)) << row.effect << alias;
  }
  for (const std::string& word : design.defining_relation)
    EXPECT_EQ(column(word), std::vector<double>(16, 1)) << word;
}

// Box, Hunter and Hunter, table of the best resolution by runs and factors.
TEST(MinimumAberration, ResolutionsOfTheTextbook) {
  struct Case {
    std::size_t basic, factors;
    int resolution;
  };
  const std::vector<Case> cases = {{3, 4, 4},  {3, 5, 3}, {3, 6, 3},  {3, 7, 3},  {4, 5, 5},  {4, 6, 4},
                                   {4, 7, 4},  {4, 8, 4}, {4, 9, 3},  {4, 11, 3}, {4, 15, 3}, {5, 6, 6},
                                   {5, 7, 4},  {5, 9, 4}, {5, 11, 4}, {6, 7, 7},  {6, 8, 5},  {6, 9, 4},
                                   {6, 11, 4}, {7, 8, 8}, {7, 9, 6},  {7, 10, 5}, {7, 11, 5}};
  for (const Case& each : cases) {
    const auto columns = minimum_aberration(each.factors, each.basic);
    EXPECT_EQ(resolution_of(word_group(defining_words(columns, each.basic))), each.resolution)
        << each.factors << " factors in 2^" << each.basic;
  }
}

// Chen, Sun and Wu (1993), first design of each size: words of length 3, 4, 5, 6.
TEST(MinimumAberration, WordLengthsOfTheCatalogue) {
  const auto lengths = [](std::size_t factors, std::size_t basic) {
    const auto counts =
        word_lengths(word_group(defining_words(minimum_aberration(factors, basic), basic)), factors);
    return std::vector<std::size_t>(counts.begin() + 3, counts.end());
  };
  EXPECT_EQ(lengths(5, 3), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(lengths(6, 3), (std::vector<std::size_t>{4, 3, 0, 0}));
  EXPECT_EQ(lengths(6, 4), (std::vector<std::size_t>{0, 3, 0, 0}));
  EXPECT_EQ(lengths(7, 4), (std::vector<std::size_t>{0, 7, 0, 0, 0}));
  EXPECT_EQ(lengths(8, 4), (std::vector<std::size_t>{0, 14, 0, 0, 0, 1}));
  EXPECT_EQ(lengths(9, 4), (std::vector<std::size_t>{4, 14, 8, 0, 4, 1, 0}));
  EXPECT_EQ(lengths(7, 5), (std::vector<std::size_t>{0, 1, 2, 0, 0}));
  EXPECT_EQ(lengths(8, 5), (std::vector<std::size_t>{0, 3, 4, 0, 0, 0}));
  EXPECT_EQ(lengths(9, 5), (std::vector<std::size_t>{0, 6, 8, 0, 0, 1, 0}));
}

// A half of twelve factors has one word, of all of them; 25 factors fit into 64 runs with resolution 4, since
// those hold up to 32 (Box, Hunter and Hunter).
TEST(Fractional, ManyFactors) {
  EXPECT_EQ(made("fractional:runs=2048", 12).resolution, 12);
  const PlannedDesign design = made("fractional", 25);
  EXPECT_EQ(design.runs.size(), 64U);
  EXPECT_EQ(design.resolution, 4);
  EXPECT_TRUE(design.defining_relation.empty());
  for (const AliasRow& row : design.aliases) {
    const bool main = row.effect.size() == 1;
    for (const std::string& alias : row.aliases) EXPECT_GE(alias.size(), main ? 3U : 2U) << row.effect;
  }
}

TEST(Fractional, WrongRequestsAreRefused) {
  const auto fault = [](const std::string& text, std::size_t factors) {
    return error_of([&] { (void)made(text, factors); });
  };
  EXPECT_NE(fault("fractional:runs=12", 5).find("take 8 or 16"), std::string::npos);
  EXPECT_NE(fault("fractional:runs=4", 5).find("at least 8"), std::string::npos);
  EXPECT_NE(fault("fractional:generators=D=AB", 5).find("write 'E=…'"), std::string::npos);
  EXPECT_NE(fault("fractional:generators=D=AX", 4).find("'X' in 'AX' is no factor"), std::string::npos);
  EXPECT_NE(fault("fractional:generators=D=A", 4).find("would never differ from A"), std::string::npos);
  EXPECT_NE(fault("fractional:generators=D=AB,E=AB", 5).find("two factors have the generator AB"),
            std::string::npos);
  EXPECT_NE(fault("fractional:runs=8", 30).find("plackett-burman"), std::string::npos);
}

TEST(FullFactorial, BlocksLoseTheHighestInteraction) {
  const PlannedDesign design = made("full-factorial", 4, 2);
  ASSERT_EQ(design.runs.size(), 16U);
  for (const PlannedRun& run : design.runs) {
    const auto& x = run.configuration.values;
    const double odd = std::accumulate(x.begin(), x.end(), 0.0);
    EXPECT_EQ(run.block, static_cast<int>(odd) % 2 == 0 ? 1U : 0U);  // ABCD = product of signs
  }
  EXPECT_NE(std::ranges::find(design.notes, "differences between blocks cannot be told from: ABCD"),
            design.notes.end());
}

// Two block effects of three letters and their product of two: no choice for four factors does better
// (Montgomery, table 7.9: ABC and ABD with CD, or the like).
TEST(FullFactorial, FourBlocksOfFourFactors) {
  const auto words = word_group(block_words({0}, 4, 2));
  std::vector<std::size_t> lengths;
  for (const EffectWord word : words) lengths.push_back(word_text(word).size());
  std::ranges::sort(lengths);
  EXPECT_EQ(lengths, (std::vector<std::size_t>{1, 2, 3, 3}));  // the 1 is "I"
}

TEST(Fractional, BlocksKeepMainEffects) {
  const PlannedDesign design = made("fractional:runs=16", 6, 2);
  std::map<std::size_t, std::size_t> sizes;
  std::map<std::size_t, double> sums;  // of each factor's signs in block 0
  for (const PlannedRun& run : design.runs) {
    ++sizes[run.block];
    for (std::size_t f = 0; run.block == 0 && f < 6; ++f) sums[f] += 2 * run.configuration.values[f] - 1;
  }
  EXPECT_EQ(sizes, (std::map<std::size_t, std::size_t>{{0, 8}, {1, 8}}));
  for (const auto& [factor, sum] : sums) EXPECT_EQ(sum, 0) << factor;
}

std::string signs_text(const std::vector<int>& row) {
  std::string text;
  for (const int sign : row) text += sign > 0 ? '+' : '-';
  return text;
}

// Plackett and Burman (1946): generating rows for 8, 12, 20 and 24 runs.
TEST(PlackettBurman, PublishedRows) {
  EXPECT_EQ(signs_text(screening_signs(8)[0]), "+++-+--");
  EXPECT_EQ(signs_text(screening_signs(12)[0]), "++-+++---+-");
  EXPECT_EQ(signs_text(screening_signs(20)[0]), "++--++++-+-+----++-");
  EXPECT_EQ(signs_text(screening_signs(24)[0]), "+++++-+-++--++--+-+----");
}

TEST(PlackettBurman, MatrixOfTwelveRuns) {
  const std::vector<std::string> published = {"++-+++---+-", "-++-+++---+", "+-++-+++---", "-+-++-+++--",
                                              "--+-++-+++-", "---+-++-+++", "+---+-++-++", "++---+-++-+",
                                              "+++---+-++-", "-+++---+-++", "+-+++---+-+", "-----------"};
  const auto signs = screening_signs(12);
  ASSERT_EQ(signs.size(), published.size());
  for (std::size_t i = 0; i < signs.size(); ++i) EXPECT_EQ(signs_text(signs[i]), published[i]) << i;
}

TEST(PlackettBurman, ColumnsAreOrthogonalForAllOrders) {
  std::size_t known = 0;
  for (std::size_t n = 4; n <= 100; n += 4) {
    const auto signs = screening_signs(n);
    if (signs.empty()) continue;
    ++known;
    ASSERT_EQ(signs.size(), n);
    ASSERT_EQ(signs[0].size(), n - 1);
    for (std::size_t a = 0; a < n - 1; ++a) {
      int sum = 0;
      for (const auto& row : signs) sum += row[a];
      EXPECT_EQ(sum, 0) << n;
      for (std::size_t b = 0; b < a; ++b) {
        int product = 0;
        for (const auto& row : signs) product += row[a] * row[b];
        ASSERT_EQ(product, 0) << n << " " << a << " " << b;
      }
    }
    EXPECT_EQ(signs.back(), std::vector<int>(n - 1, -1));
  }
  EXPECT_EQ(known, 25U);  // 52 and 100 over fields of 25 and 49 elements, 92 by Williamson's circulants
}

// In a field of q elements (q - 1) / 2 are squares, and for q = 4t + 1 so is -1. A square and another element
// of their sum: as many as the theory of cyclotomy has, (q - 5) / 4 squares x with x - 1 a square too.
TEST(FiniteField, SquaresOfPrimeSquares) {
  for (const std::size_t q : {9U, 25U, 49U, 121U}) {
    const FiniteField field = *finite_field(q);
    const std::vector<int> character = field.quadratic_character();
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(character, 1)), (q - 1) / 2);
    EXPECT_EQ(character[field.difference(0, 1)], 1);
    std::size_t both = 0;
    for (std::size_t x = 0; x < q; ++x) {
      both += character[x] == 1 && character[field.difference(x, 1)] == 1 ? 1U : 0U;
    }
    EXPECT_EQ(both, (q - 5) / 4) << q;
  }
  EXPECT_FALSE(finite_field(15));
  EXPECT_FALSE(finite_field(27));
  EXPECT_FALSE(finite_field(8));
}

// Each main effect of 12 runs has a third, with either sign, of all 45 interactions of the other ten factors.
// Of A with BC by hand: the products of the first three signs of the published rows are -, -, -, +, +, -, +,
// -,
// +, -, -, -, whose sum is -4.
TEST(PlackettBurman, PartsOfInteractions) {
  const PlannedDesign design = made("plackett-burman", 11);
  std::map<std::string, std::map<std::string, double>> parts;
  for (const AliasRow& row : design.aliases) {
    for (const std::string& alias : row.aliases) parts[row.effect][alias] = row.part;
  }
  ASSERT_EQ(parts.size(), 11U);
  for (const auto& [effect, of] : parts) {
    EXPECT_EQ(of.size(), 45U) << effect;
    for (const auto& [alias, part] : of) EXPECT_NEAR(std::abs(part), 1.0 / 3, 1e-15) << effect << alias;
  }
  EXPECT_NEAR(parts["A"]["BC"], -1.0 / 3, 1e-15);
  EXPECT_FALSE(parts["A"].contains("AB"));
}

TEST(PlackettBurman, PartsOfOtherOrders) {
  // 16 runs are a regular fraction: everything or nothing.
  for (const AliasRow& row : made("plackett-burman:runs=16", 15).aliases) EXPECT_EQ(std::abs(row.part), 1);
  // 20 runs: fifths and three fifths (Lin and Draper, Technometrics 34, 1992).
  for (const AliasRow& row : made("plackett-burman:runs=20", 19).aliases) {
    EXPECT_TRUE(std::abs(row.part) == 0.2 || std::abs(row.part) == 0.6) << row.part;
  }
  // Folded over, main effects are clear, and interactions hang together with each other.
  for (const AliasRow& row : made("plackett-burman:runs=24:foldover=1", 11).aliases) {
    EXPECT_EQ(row.effect.size(), 2U);
  }
  EXPECT_TRUE(made("plackett-burman", 26).aliases.empty());  // more than there are letters
}

TEST(PlackettBurman, FoldoverFreesMainEffects) {
  const PlannedDesign design = made("plackett-burman:runs=24:foldover=1", 11);
  ASSERT_EQ(design.runs.size(), 24U);
  EXPECT_EQ(design.resolution, 4);
  for (std::size_t a = 0; a < 11; ++a) {
    for (std::size_t b = 0; b < 11; ++b) {
      for (std::size_t c = 0; c < b; ++c) {
        double sum = 0;
        for (const PlannedRun& run : design.runs) {
          const auto sign = [&](std::size_t i) { return 2 * run.configuration.values[i] - 1; };
          sum += sign(a) * sign(b) * sign(c);
        }
        ASSERT_TRUE(sum == 0 || a == b || a == c);
      }
    }
  }
  EXPECT_EQ(made("plackett-burman", 11).runs.size(), 12U);
  EXPECT_EQ(made("plackett-burman", 12).runs.size(), 16U);
  EXPECT_EQ(made("plackett-burman", 50).runs.size(), 52U);
  EXPECT_NE(error_of([] { (void)made("plackett-burman:runs=10", 5); }).find("multiple of 4"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)made("plackett-burman:runs=8", 8); }).find("too few"), std::string::npos);
}

}  // namespace
}  // namespace sextant::explore
