#include "partial_aliases.h"

#include <cmath>
#include <map>

#include "words.h"

namespace sextant::explore {
namespace {

using Signs = std::vector<std::vector<int>>;

// Of one or two factors.
struct Effect {
  EffectWord word = 0;
  std::vector<int> column;  // a sign per run
};

std::vector<Effect> main_effects_of(const Signs& signs) {
  std::vector<Effect> effects;
  for (std::size_t f = 0; f < signs.front().size(); ++f) {
    Effect effect{.word = EffectWord{1} << f, .column = {}};
    for (const std::vector<int>& run : signs) effect.column.push_back(run[f]);
    effects.push_back(std::move(effect));
  }
  return effects;
}

std::vector<Effect> interactions_of(const std::vector<Effect>& mains) {
  std::vector<Effect> effects;
  for (std::size_t a = 0; a < mains.size(); ++a) {
    for (std::size_t b = a + 1; b < mains.size(); ++b) {
      Effect effect{.word = mains[a].word | mains[b].word, .column = mains[a].column};
      for (std::size_t i = 0; i < effect.column.size(); ++i) effect.column[i] *= mains[b].column[i];
      effects.push_back(std::move(effect));
    }
  }
  return effects;
}

int product(const Effect& a, const Effect& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.column.size(); ++i) sum += a.column[i] * b.column[i];
  return sum;
}

// Large parts first, of two alike the positive one.
bool in_word_order(int a, int b) {
  return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a > b;
}

std::vector<AliasRow> rows_of(const std::vector<Effect>& effects, const std::vector<Effect>& interactions) {
  std::vector<AliasRow> rows;
  for (const Effect& effect : effects) {
    std::map<int, std::vector<std::string>, decltype(&in_word_order)> by_sum(&in_word_order);
    for (const Effect& other : interactions) {
      if (other.word == effect.word) continue;
      if (const int sum = product(effect, other); sum != 0) by_sum[sum].push_back(word_text(other.word));
    }
    const auto runs = static_cast<double>(effect.column.size());
    for (auto& [sum, words] : by_sum) rows.push_back({word_text(effect.word), std::move(words), sum / runs});
  }
  return rows;
}

}  // namespace

std::vector<AliasRow> partial_aliases(const std::vector<std::vector<int>>& signs) {
  const std::vector<Effect> mains = main_effects_of(signs);
  const std::vector<Effect> interactions = interactions_of(mains);
  std::vector<AliasRow> rows = rows_of(mains, interactions);
  return rows.empty() ? rows_of(interactions, interactions) : rows;
}

}  // namespace sextant::explore
