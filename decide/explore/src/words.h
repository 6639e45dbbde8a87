// Effects of two-level factors as words: "ABD" is the set of factors A, B and D, kept as bits; the product of
// two words is what is in one of them only. Letters leave out I, which stands for the mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::explore {

using EffectWord = std::uint32_t;
inline constexpr std::size_t kMostLetters = 25;  // A to Z without I

std::string word_text(EffectWord word);  // "ABD"; "I" for none
// InputError for what is no letter of the first `factors`, or twice.
EffectWord parse_word(const std::string& text, std::size_t factors, const SourcePos& at);

// All products of the words, the identity first.
std::vector<EffectWord> word_group(const std::vector<EffectWord>& generators);
// By length, then by letters.
void sort_words(std::vector<EffectWord>& words);

// How many words of each length a group has, from length 0 to `factors`; the identity is not counted.
std::vector<std::size_t> word_lengths(const std::vector<EffectWord>& group, std::size_t factors);
// Length of the shortest word; nothing is aliased with anything in a group of the identity alone: 0.
int resolution_of(const std::vector<EffectWord>& group);

// Words, one per halving, whose values divide the runs of a design into blocks. Of all effects that are then
// lost in the blocks, the shortest is as long as possible, aliases (products with `group`) included.
std::vector<EffectWord> block_words(const std::vector<EffectWord>& group, std::size_t factors,
                                    std::size_t halvings);

}  // namespace sextant::explore
