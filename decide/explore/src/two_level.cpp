#include "two_level.h"

#include <algorithm>
#include <bit>
#include <map>

#include "design_points.h"
#include "minimum_aberration.h"
#include "sextant/core/text.h"
#include "space_axis.h"

namespace sextant::explore {
namespace {

// A defining relation of 1023 words is listed, a longer one not.
constexpr std::size_t kListedGenerators = 10;

std::string level_text(const SearchFactor& factor, double unit) {
  return value_text(factor, from_unit(factor, unit));
}

std::vector<std::string> letter_notes(const SearchSpace& space, const std::vector<std::size_t>& varying) {
  std::vector<std::string> letters;
  std::vector<std::string> shortened;
  for (std::size_t i = 0; i < varying.size(); ++i) {
    const SearchFactor& factor = space.factors()[varying[i]];
    const std::string letter = i < kMostLetters ? word_text(EffectWord{1} << i) + " = " : "";
    letters.push_back(letter + factor.name + " (" + level_text(factor, 0) + ", " + level_text(factor, 1) +
                      ")");
    if (value_count(factor) > 2) shortened.push_back(factor.name);
  }
  std::vector<std::string> notes = {"factors and their levels: " + join(letters, ", ")};
  if (!shortened.empty()) {
    notes.push_back("of more than two levels only the lowest and highest are used: " + join(shortened, ", "));
  }
  return notes;
}

// Product of the factors of an effect, as a word over the basic ones.
EffectWord column_of(EffectWord effect, const SignDesign& design) {
  EffectWord column = effect & ((EffectWord{1} << design.basic) - 1);
  for (std::size_t i = 0; i < design.columns.size(); ++i) {
    if (((effect >> (design.basic + i)) & 1U) != 0) column ^= design.columns[i];
  }
  return column;
}

// All effects of up to three factors.
std::vector<EffectWord> short_effects(std::size_t factors) {
  std::vector<EffectWord> effects;
  const auto bit = [](std::size_t i) { return EffectWord{1} << i; };
  for (std::size_t a = 0; a < factors; ++a) {
    effects.push_back(bit(a));
    for (std::size_t b = a + 1; b < factors; ++b) {
      effects.push_back(bit(a) | bit(b));
      for (std::size_t c = b + 1; c < factors; ++c) effects.push_back(bit(a) | bit(b) | bit(c));
    }
  }
  sort_words(effects);
  return effects;
}

// Main effects and interactions of two factors, each with the effects whose column is the same. One that
// stands beside another has no row of its own.
std::vector<AliasRow> alias_rows(const SignDesign& design, const std::vector<EffectWord>& relation,
                                 std::size_t factors) {
  std::map<EffectWord, std::vector<EffectWord>> by_column;
  std::vector<EffectWord> order;
  for (const EffectWord effect : short_effects(factors)) {
    std::vector<EffectWord>& same = by_column[column_of(effect, design)];
    if (same.empty() && std::popcount(effect) <= 2) order.push_back(effect);
    same.push_back(effect);
  }
  std::vector<AliasRow> rows;
  for (const EffectWord effect : order) {
    const std::vector<EffectWord>& same = by_column[column_of(effect, design)];
    AliasRow row{.effect = word_text(effect), .aliases = {}};
    for (std::size_t i = 1; i < same.size(); ++i) row.aliases.push_back(word_text(same[i]));
    if (row.aliases.empty() && !relation.empty()) {  // the shortest of the long ones
      std::vector<EffectWord> aliases;
      for (const EffectWord word : relation) aliases.push_back(effect ^ word);
      sort_words(aliases);
      row.aliases.push_back(word_text(aliases.front()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// The relation is listed where that can be read.
void add_relation(const SignDesign& signs, std::size_t factors, PlannedDesign& design) {
  std::vector<EffectWord> relation;
  if (signs.columns.size() <= kListedGenerators) {
    relation = word_group(defining_words(signs.columns, signs.basic));
    relation.erase(relation.begin());
    sort_words(relation);
  } else {
    design.notes.push_back("the defining relation has 2^" + std::to_string(signs.columns.size()) +
                           " - 1 words and is not listed");
  }
  design.resolution =
      relation.empty() ? fraction_resolution(signs.columns, signs.basic) : std::popcount(relation.front());
  design.aliases = alias_rows(signs, relation, factors);
  for (const EffectWord word : relation) design.defining_relation.push_back(word_text(word));
}

// Block of a row: a binary digit per word, the product of its signs.
std::size_t block_of(const std::vector<int>& row, const std::vector<EffectWord>& words) {
  std::size_t block = 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    int product = 1;
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (((words[w] >> f) & 1U) != 0) product *= row[f];
    }
    if (product > 0) block |= std::size_t{1} << w;
  }
  return block;
}

// The blocks, or none where their number does not divide the runs evenly.
std::vector<EffectWord> blocking(const DesignRequest& request, const SignDesign& signs, std::size_t factors) {
  constexpr std::size_t kMostFactors = 14;  // the search goes through all words, and all aliases of each
  const bool halves = std::has_single_bit(request.blocks) && request.blocks < signs.signs.size();
  if (request.blocks < 2 || !signs.regular || !halves || factors > kMostFactors ||
      signs.columns.size() > kListedGenerators)
    return {};
  const auto halvings = static_cast<std::size_t>(std::countr_zero(request.blocks));
  return block_words(word_group(defining_words(signs.columns, signs.basic)), factors, halvings);
}

std::string confounded_note(const std::vector<EffectWord>& blocks, const std::vector<EffectWord>& relation) {
  std::vector<std::string> texts;
  std::vector<EffectWord> lost;
  const std::vector<EffectWord> group = word_group(relation);
  for (const EffectWord word : word_group(blocks)) {
    if (word == 0) continue;
    EffectWord shortest = word;
    for (const EffectWord other : group) {
      if (std::popcount(word ^ other) < std::popcount(shortest)) shortest = word ^ other;
    }
    lost.push_back(shortest);
  }
  sort_words(lost);
  for (const EffectWord word : lost) texts.push_back(word_text(word));
  return "differences between blocks cannot be told from: " + join(texts, ", ");
}

}  // namespace

std::vector<std::size_t> varying_factors(const SearchSpace& space) {
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < space.factors().size(); ++i) {
    if (value_count(space.factors()[i]) >= 2) varying.push_back(i);
  }
  if (varying.empty()) throw InputError("no factor of the space has two levels");
  return varying;
}

std::vector<std::vector<int>> yates_signs(std::size_t basic, const std::vector<EffectWord>& columns) {
  std::vector<std::vector<int>> rows;
  for (std::size_t run = 0; run < (std::size_t{1} << basic); ++run) {
    std::vector<int> row;
    for (std::size_t f = 0; f < basic; ++f) row.push_back(((run >> f) & 1U) != 0 ? 1 : -1);
    for (const EffectWord column : columns) {
      const int minus = std::popcount(column & ~static_cast<EffectWord>(run));  // factors at their low level
      row.push_back(minus % 2 == 0 ? 1 : -1);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

PlannedDesign two_level_design(const DesignRequest& request, const SignDesign& signs) {
  const std::vector<std::size_t> varying = varying_factors(request.space);
  std::vector<std::vector<double>> points;
  for (const std::vector<int>& row : signs.signs) {
    std::vector<double> point(request.space.factors().size(), 0.0);
    for (std::size_t i = 0; i < varying.size(); ++i) point[varying[i]] = row[i] > 0 ? 1 : 0;
    points.push_back(std::move(point));
  }
  PlannedDesign design = design_of_points(request.space, points);
  for (std::string& note : letter_notes(request.space, varying)) design.notes.push_back(std::move(note));
  if (!signs.columns.empty()) add_relation(signs, varying.size(), design);
  const bool whole = design.runs.size() == points.size();
  if (!whole && !signs.columns.empty()) {
    design.notes.emplace_back(
        "aliases are those of the whole fraction; without the missing runs more effects "
        "hang together");
  }
  const std::vector<EffectWord> blocks = blocking(request, signs, varying.size());
  if (blocks.empty() || !whole) return design;
  for (std::size_t i = 0; i < design.runs.size(); ++i)
    design.runs[i].block = block_of(signs.signs[i], blocks);
  design.notes.push_back(confounded_note(blocks, defining_words(signs.columns, signs.basic)));
  return design;
}

}  // namespace sextant::explore
