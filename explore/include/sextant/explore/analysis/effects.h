// What each level does: means as they are, and adjusted to what they would be were all levels of the other
// factors equally frequent (least-squares means; Searle, Speed and Milliken, American Statistician 34, 1980).
// And the means of pairs of factors, whose lines are parallel where there is no interaction.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/stats/interval.h"
#include "sextant/core/stats/matrix.h"
#include "sextant/explore/analysis/analysis_table.h"

namespace sextant {

struct LevelMean {
  std::string level;
  std::size_t n = 0;
  double mean = 0;
  // From the model without interactions; the interval is infinite where nothing says what chance does. Not
  // estimable (the level occurs only with others that nothing can tell it from): `estimable` is false.
  double adjusted = 0;
  Interval interval = {};
  bool estimable = true;
};

struct MainEffect {
  std::string factor;
  bool covariate = false;  // then there are no levels but a slope
  std::vector<LevelMean> levels = {};
  double slope = 0;  // per unit, given the other factors
  Interval slope_interval = {};
  double range =
      0;  // largest adjusted mean less the smallest; of a covariate: slope times its range, absolute
};

struct InteractionMeans {
  std::string first;   // across
  std::string second;  // a line each
  std::vector<std::string> first_levels;
  std::vector<std::string> second_levels;
  Matrix means;  // NaN where there is no run
  Matrix counts;
};

// Tukey's honestly significant differences (Tukey 1953; Kramer 1956 for unequal numbers) of adjusted means:
// p and intervals hold for all pairs of a factor together.
struct LevelPair {
  std::string factor;
  std::string a;
  std::string b;
  double difference = 0;  // a less b
  double standard_error = 0;
  double q = 0;  // |difference| over standard_error / sqrt 2
  double p = 1;
  Interval interval = {};
};

// Of completed rows, by the model with all factors and no interactions; level in (0, 1).
std::vector<MainEffect> main_effects(const AnalysisTable& table, double level = 0.95);
InteractionMeans interaction_means(const AnalysisTable& table, std::size_t first, std::size_t second);

struct PairwiseResult {
  std::vector<LevelPair> pairs = {};  // factors with more than 30 levels are left out
  double df = 0;                      // of the residual
  std::vector<std::string> notes = {};
};
// Nothing to compare with where the model leaves no residual degree of freedom: no pairs and a note.
PairwiseResult tukey_pairs(const AnalysisTable& table, double level = 0.95);

}  // namespace sextant
