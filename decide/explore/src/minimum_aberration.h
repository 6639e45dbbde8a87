// Which generators a fraction of a two-level design should have: of all choices the one with the fewest words
// of the shortest length, then of the next (minimum aberration; Fries and Hunter, Technometrics 22, 1980).
#pragma once

#include <vector>

#include "words.h"

namespace sextant::explore {

// Columns of the factors behind the first `basic`: each a product of basic factors, as a word over them.
// Factors are added one by one, and the best fractions of each size are kept, as the catalogue of Chen, Sun
// and Wu (Int. Stat. Rev. 61, 1993) was made: agrees with it up to 32 runs; larger ones are near it.
std::vector<EffectWord> minimum_aberration(std::size_t factors, std::size_t basic);

// Words of the defining relation that these columns make: factor basic + i times its column.
std::vector<EffectWord> defining_words(const std::vector<EffectWord>& columns, std::size_t basic);

// How many words of each length the defining relation has, by length up to 16, without listing them; the
// first three are 0.
std::vector<std::size_t> short_words(const std::vector<EffectWord>& columns, std::size_t basic);
// Length of the shortest word, at most 17; 0 where there are no columns.
int fraction_resolution(const std::vector<EffectWord>& columns, std::size_t basic);

}  // namespace sextant::explore
