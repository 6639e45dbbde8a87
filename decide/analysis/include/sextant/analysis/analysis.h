// Everything that a table of runs tells about its factors, in one value: what report and plots show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/analysis/anova.h"
#include "sextant/analysis/effect_aliases.h"
#include "sextant/analysis/effects.h"
#include "sextant/analysis/factor_regression.h"
#include "sextant/analysis/importance.h"
#include "sextant/analysis/model_checks.h"
#include "sextant/analysis/scaling_laws.h"
#include "sextant/analysis/transfer.h"

namespace sextant::analysis {

struct AnalysisOptions {
  double level = 0.95;
  bool may_log = true;  // where the checks fail, and hold on the logarithm: analyse that
  AnovaOptions anova = {};
  std::string scaling = {};  // column of counts; empty: no fit of diminishing returns
  std::size_t top = 5;       // of the transfer table
  double power = 0.8;
  std::vector<double> differences = {0.01, 0.02, 0.05, 0.1,
                                     0.2};  // of the mean: how many repetitions show them
  std::uint64_t seed = 0;
};

struct RepetitionRow {
  double relative = 0;    // of the mean
  double difference = 0;  // in the response's unit
  std::optional<std::int64_t> repetitions =
      {};  // of each of two configurations; nothing: more than a million
};

struct Repetitions {
  double sd = 0;  // of one run
  double df = 0;
  bool pure = true;  // from runs repeated alike; else from what the model leaves, which is more
  double power = 0.8;
  std::vector<RepetitionRow> rows = {};
};

struct Analysis {
  AnalysisTable table;  // completed rows
  double level = 0.95;
  bool log = false;        // of the response
  bool chose_log = false;  // nobody asked for it: the checks did
  std::size_t censored = 0;
  AnovaResult anova = {};
  ModelChecks checks = {};
  std::vector<FactorRanks> ranks = {};  // with censored rows
  std::vector<MainEffect> effects = {};
  std::vector<InteractionMeans> interactions = {};  // those with evidence, clearest first; at most six
  PairwiseResult pairs = {};
  std::vector<FactorRegression> regressions = {};
  std::vector<Collinearity> collinear = {};
  std::optional<Importance> importance = {};  // nothing with more than 12 factors
  std::vector<EffectAlias> aliases = {};
  std::vector<WorkloadTransfer> transfer = {};  // with a group
  std::vector<WorkloadScaling> scaling = {};
  std::optional<Repetitions> repetitions = {};  // nothing without any repetition
  std::vector<std::string> notes = {};
};

Analysis analyze(const AnalysisTable& table, const AnalysisOptions& options = {});

}  // namespace sextant::analysis
