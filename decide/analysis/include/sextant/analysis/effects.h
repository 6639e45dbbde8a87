// What each level does: means as they are, and adjusted to what they would be were all levels of the other
// factors equally frequent (least-squares means; Searle, Speed and Milliken, American Statistician 34, 1980).
// And the means of pairs of factors, whose lines are parallel where there is no interaction.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"
#include "sextant/stats/interval.h"
#include "sextant/stats/matrix.h"

namespace sextant::analysis {

struct LevelMean {
  std::string level;
  std::size_t n = 0;
  double mean = 0;
  // The interval is infinite where nothing says what chance does. Not estimable (the level occurs only with
  // others that nothing can tell it from): `estimable` is false.
  double adjusted = 0;
  stats::Interval interval = {};
  bool estimable = true;
};

struct MainEffect {
  std::string factor;
  bool covariate = false;  // then there are no levels but a slope
  int order = 1;           // of the interactions in the model that it is from
  double df = 0;           // of that model's residual
  std::vector<LevelMean> levels = {};
  double slope = 0;  // per unit, given the other factors; with interactions: the average over their levels
  stats::Interval slope_interval = {};
  double range =
      0;  // largest adjusted mean less the smallest; of a covariate: slope times its range, absolute
};

struct InteractionMeans {
  std::string first;   // across
  std::string second;  // a line each
  std::vector<std::string> first_levels;
  std::vector<std::string> second_levels;
  stats::Matrix means;  // NaN where there is no run
  stats::Matrix counts;
};

// Tukey's honestly significant differences (Tukey 1953; Kramer 1956 for unequal numbers) of adjusted means:
// p and intervals hold for all pairs of a factor together.
struct LevelPair {
  std::string factor;
  std::string a;
  std::string b;
  double difference = 0;  // a less b
  double standard_error = 0;
  int order = 1;  // of the interactions in the model
  double df = 0;  // of its residual
  double q = 0;   // |difference| over standard_error / sqrt 2
  double p = 1;
  stats::Interval interval = {};
};

struct EffectOptions {
  int order = 1;  // of the model's interactions: those of the ANOVA, whose residual then is the yardstick
  double level = 0.95;
};

struct PairwiseResult {
  std::vector<LevelPair> pairs = {};  // factors with more than 30 levels are left out
  // Where the model leaves no residual degree of freedom there is nothing to compare with: no pairs, and a
  // note.
  std::vector<std::string> notes = {};
};

struct LevelEffects {
  std::vector<MainEffect> effects = {};
  PairwiseResult pairs = {};
};

// Of completed rows. Where a combination of levels has no run, means that average over it are not estimable
// with interactions: such a factor's are taken from the model without them, as `order` or a note says.
// InputError for a level outside (0, 1), and where the runs are fewer than the parameters without
// interactions.
LevelEffects level_effects(const AnalysisTable& table, const EffectOptions& options = {});
InteractionMeans interaction_means(const AnalysisTable& table, std::size_t first, std::size_t second);

}  // namespace sextant::analysis
