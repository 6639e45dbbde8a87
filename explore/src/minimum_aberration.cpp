#include "minimum_aberration.h"

#include <algorithm>
#include <bit>
#include <set>

namespace sextant {
namespace {

struct Fraction {
  std::vector<EffectWord> columns;
  std::vector<EffectWord> group;
  std::vector<std::size_t> lengths;
};

// For each factor the lengths of the words that it is in; sorted, since names of factors do not matter.
std::vector<std::vector<std::size_t>> factor_patterns(const std::vector<EffectWord>& group,
                                                      std::size_t factors) {
  std::vector<std::vector<std::size_t>> patterns;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    std::vector<EffectWord> with;
    for (const EffectWord word : group) {
      if (((word >> factor) & 1U) != 0) with.push_back(word);
    }
    patterns.push_back(word_lengths(with, factors));
  }
  std::ranges::sort(patterns);
  return patterns;
}

Fraction with_column(const Fraction& fraction, EffectWord column, std::size_t basic) {
  Fraction next;
  next.columns = fraction.columns;
  next.columns.push_back(column);
  const std::size_t factors = basic + next.columns.size();
  const EffectWord generator = column | (EffectWord{1} << (factors - 1));
  next.group = fraction.group;
  for (const EffectWord word : fraction.group) next.group.push_back(word ^ generator);
  next.lengths = word_lengths(next.group, factors);
  return next;
}

// Patterns are compared from the shortest words on. Columns keep their order, so that every set is met once.
std::vector<Fraction> extended(const std::vector<Fraction>& fractions, std::size_t basic, std::size_t keep) {
  std::vector<Fraction> all;
  for (const Fraction& fraction : fractions) {
    for (EffectWord column = 1; column < (EffectWord{1} << basic); ++column) {
      const bool taken =
          std::popcount(column) < 2 || std::ranges::find(fraction.columns, column) != fraction.columns.end();
      if (!taken) all.push_back(with_column(fraction, column, basic));
    }
    std::ranges::stable_sort(all, {}, &Fraction::lengths);
    // Enough that fractions which are the same but for names do not crowd out the others.
    if (all.size() > 20 * keep) all.resize(20 * keep);
  }
  std::vector<Fraction> kept;
  std::set<std::pair<std::vector<std::size_t>, std::vector<std::vector<std::size_t>>>> seen;
  for (Fraction& fraction : all) {
    if (kept.size() == keep) break;
    auto patterns = factor_patterns(fraction.group, basic + fraction.columns.size());
    if (seen.emplace(fraction.lengths, std::move(patterns)).second) kept.push_back(std::move(fraction));
  }
  return kept;
}

}  // namespace

std::vector<EffectWord> minimum_aberration(std::size_t factors, std::size_t basic) {
  Fraction start;
  start.group = {0};
  std::vector<Fraction> fractions = {start};
  for (std::size_t size = basic; size < factors; ++size) {
    // Work of a step: kept fractions x columns x words.
    const double work =
        static_cast<double>(std::size_t{1} << basic) * static_cast<double>(std::size_t{1} << (size - basic));
    const auto keep = static_cast<std::size_t>(std::clamp(4e6 / work, 2.0, 60.0));
    fractions = extended(fractions, basic, keep);
  }
  std::vector<EffectWord> columns = std::move(fractions.front().columns);
  std::ranges::sort(columns);  // as textbooks name them: D = AB, E = AC, F = BC, G = ABC
  return columns;
}

std::vector<EffectWord> defining_words(const std::vector<EffectWord>& columns, std::size_t basic) {
  std::vector<EffectWord> generators;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    generators.push_back(columns[i] | (EffectWord{1} << (basic + i)));
  }
  return generators;
}

}  // namespace sextant
