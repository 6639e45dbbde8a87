// What the estimates of a two-level design hold besides their own effect, where it is no regular fraction:
// parts of interactions of two. As the columns of main effects are orthogonal, the part of an interaction is
// the mean over the runs of the product of both columns (alias matrix: Box and Wilson, JRSS B 13, 1951).
#pragma once

#include <vector>

#include "sextant/explore/design.h"

namespace sextant::explore {

// A row of signs per run, a column per factor, at most kMostLetters of them. Main effects, a row for each
// part that occurs, largest first; where all of them are clear of interactions of two, those with each other.
std::vector<AliasRow> partial_aliases(const std::vector<std::vector<int>>& signs);

}  // namespace sextant::explore
