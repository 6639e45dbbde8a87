// Main effects that the runs cannot tell from an interaction of two other factors, as in fractional designs:
// all columns of the factor are sums of those of the two and of their interaction.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis {

struct EffectAlias {
  std::string factor;
  std::vector<std::string> interactions;  // "B x D"
};

// Factors with levels, in their order, those without an alias left out; nothing for more than 12 factors or
// 2000 different runs. An interaction that takes up every degree of freedom of the runs says nothing and is
// no alias. Partial aliases (Plackett-Burman) are not looked for: the design's own table has them.
std::vector<EffectAlias> effect_aliases(const AnalysisTable& table);

}  // namespace sextant::analysis
