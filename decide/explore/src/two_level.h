// Two-level designs: each factor at its lowest and highest level, letters for factors, defining relation,
// aliases and blocks.
#pragma once

#include "sextant/explore/design.h"
#include "words.h"

namespace sextant::explore {

// The factors that have two levels or more; others do not vary.
std::vector<std::size_t> varying_factors(const SearchSpace& space);

// A row per run and a column per varying factor, -1 or 1. `columns` are those of the factors behind the first
// `basic`, as words over them; none: no aliases are given.
struct SignDesign {
  std::vector<std::vector<int>> signs;
  std::size_t basic = 0;
  std::vector<EffectWord> columns = {};
  bool regular = false;  // a fraction 2^(k-p), or all of 2^k: blocks can be confounded with interactions
};

// All combinations of `basic` signs in standard (Yates) order, first factor fastest, with a column for each
// word over them behind.
std::vector<std::vector<int>> yates_signs(std::size_t basic, const std::vector<EffectWord>& columns = {});

// Runs, notes on letters and on levels that take no part, relation, resolution, aliases, blocks.
PlannedDesign two_level_design(const DesignRequest& request, const SignDesign& signs);

}  // namespace sextant::explore
