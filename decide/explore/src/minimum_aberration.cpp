#include "minimum_aberration.h"

#include <algorithm>
#include <bit>
#include <set>

namespace sextant::explore {
namespace {

constexpr std::size_t kWordLengths = 16;  // words that are counted

// A word is a set of factors whose columns multiply to 1. subsets[j][x] counts the sets of j factors with the
// product x, so that a new factor with column c closes subsets[j][c] words of length j + 1.
struct Fraction {
  std::vector<EffectWord> columns = {};  // of the factors behind the basic ones
  std::vector<std::size_t> words = std::vector<std::size_t>(kWordLengths + 1, 0);
  std::vector<std::vector<std::size_t>> subsets = {};

  void add(EffectWord column) {
    for (std::size_t j = kWordLengths; j > 0; --j) {
      for (EffectWord x = 0; x < subsets[j].size(); ++x) subsets[j][x] += subsets[j - 1][x ^ column];
    }
  }
};

Fraction basic_fraction(std::size_t basic) {
  Fraction start;
  start.subsets.assign(kWordLengths + 1, std::vector<std::size_t>(std::size_t{1} << basic, 0));
  start.subsets[0][0] = 1;
  for (std::size_t f = 0; f < basic; ++f) start.add(EffectWord{1} << f);
  return start;
}

std::vector<std::size_t> words_with(const Fraction& fraction, EffectWord column) {
  std::vector<std::size_t> words = fraction.words;
  for (std::size_t j = 2; j < kWordLengths; ++j) words[j + 1] += fraction.subsets[j][column];
  return words;
}

Fraction with_column(const Fraction& fraction, EffectWord column) {
  Fraction next = fraction;
  next.words = words_with(fraction, column);
  next.columns.push_back(column);
  next.add(column);
  return next;
}

// In how many short words each factor is; sorted, since names of factors do not matter. Fractions that differ
// here are different, and most that do not are the same.
std::vector<std::vector<std::size_t>> factor_patterns(const Fraction& fraction, std::size_t basic) {
  constexpr std::size_t kLengths = 6;
  std::vector<EffectWord> all = fraction.columns;
  for (std::size_t f = 0; f < basic; ++f) all.push_back(EffectWord{1} << f);
  std::vector<std::vector<std::size_t>> patterns;
  for (const EffectWord column : all) {
    std::vector<std::size_t> pattern;
    for (std::size_t j = 2; j < kLengths; ++j) pattern.push_back(fraction.subsets[j][column]);
    patterns.push_back(std::move(pattern));
  }
  std::ranges::sort(patterns);
  return patterns;
}

struct Extension {
  std::vector<std::size_t> words;
  std::size_t fraction = 0;
  EffectWord column = 0;
};

// Words are compared from the shortest on.
std::vector<Fraction> extended(const std::vector<Fraction>& fractions, std::size_t basic, std::size_t keep) {
  std::vector<Extension> all;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    for (EffectWord column = 1; column < (EffectWord{1} << basic); ++column) {
      if (std::popcount(column) < 2 ||
          std::ranges::find(fractions[i].columns, column) != fractions[i].columns.end()) {
        continue;
      }
      all.push_back({.words = words_with(fractions[i], column), .fraction = i, .column = column});
    }
  }
  std::ranges::stable_sort(all, {}, &Extension::words);
  std::vector<Fraction> kept;
  std::set<std::pair<std::vector<std::size_t>, std::vector<std::vector<std::size_t>>>> seen;
  // Most of the first ones are one fraction under other names: looked at, but not for ever.
  const std::size_t looked = std::min(all.size(), 40 * keep);
  for (std::size_t i = 0; i < looked && kept.size() < keep; ++i) {
    Fraction next = with_column(fractions[all[i].fraction], all[i].column);
    if (seen.emplace(next.words, factor_patterns(next, basic)).second) kept.push_back(std::move(next));
  }
  return kept;
}

}  // namespace

std::vector<EffectWord> minimum_aberration(std::size_t factors, std::size_t basic) {
  std::vector<Fraction> fractions = {basic_fraction(basic)};
  // Work of a step: 40 x kept x lengths x products.
  const double work = 40.0 * kWordLengths * static_cast<double>(std::size_t{1} << basic);
  const auto keep = static_cast<std::size_t>(std::clamp(4e6 / work, 2.0, 60.0));
  for (std::size_t size = basic; size < factors; ++size) fractions = extended(fractions, basic, keep);
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

std::vector<std::size_t> short_words(const std::vector<EffectWord>& columns, std::size_t basic) {
  Fraction fraction = basic_fraction(basic);
  for (const EffectWord column : columns) fraction = with_column(fraction, column);
  return fraction.words;
}

int fraction_resolution(const std::vector<EffectWord>& columns, std::size_t basic) {
  if (columns.empty()) return 0;
  const std::vector<std::size_t> words = short_words(columns, basic);
  const auto found = std::ranges::find_if(words, [](std::size_t count) { return count > 0; });
  return static_cast<int>(found - words.begin());
}

}  // namespace sextant::explore
