#include "words.h"

#include <algorithm>
#include <bit>

namespace sextant::explore {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
static_assert(kLetters.size() == kMostLetters);

int length_of(EffectWord word) {
  return std::popcount(word);
}

// Of a word with all its aliases.
int shortest_alias(EffectWord word, const std::vector<EffectWord>& group) {
  int shortest = 32;
  for (const EffectWord other : group) shortest = std::min(shortest, length_of(word ^ other));
  return shortest;
}

// What is lost in blocks: the length of the shortest effect, and how many of that length.
struct Loss {
  int shortest = 32;
  int count = 0;

  void add(int length) {
    if (length < shortest) *this = {length, 0};
    if (length == shortest) ++count;
  }
  [[nodiscard]] bool better_than(const Loss& other) const {
    return shortest != other.shortest ? shortest > other.shortest : count < other.count;
  }
};

// A word that others make already, or that is constant in all runs, is of length 0.
Loss loss_of(const std::vector<EffectWord>& words, const std::vector<int>& lengths) {
  const std::vector<EffectWord> group = word_group(words);
  Loss loss;
  for (std::size_t i = 1; i < group.size(); ++i) loss.add(lengths[group[i]]);
  return loss;
}

// Adds to `words` the one that costs least, again and again.
std::vector<EffectWord> extended(std::vector<EffectWord> words, std::size_t wanted,
                                 const std::vector<int>& lengths) {
  while (words.size() < wanted) {
    Loss least;
    EffectWord best = 0;
    for (EffectWord word = 1; word < lengths.size(); ++word) {
      words.push_back(word);
      const Loss loss = loss_of(words, lengths);
      words.pop_back();
      if (best != 0 && !loss.better_than(least)) continue;
      best = word;
      least = loss;
    }
    words.push_back(best);
  }
  return words;
}

}  // namespace

std::string word_text(EffectWord word) {
  if (word == 0) return "I";
  std::string text;
  for (std::size_t i = 0; i < kMostLetters; ++i) {
    if (((word >> i) & 1U) != 0) text += kLetters[i];
  }
  return text;
}

EffectWord parse_word(const std::string& text, std::size_t factors, const SourcePos& at) {
  EffectWord word = 0;
  for (const char letter : text) {
    const std::size_t place = kLetters.find(letter);
    if (place >= std::min(factors, kMostLetters)) {
      throw InputError(at, std::string("'") + letter + "' in '" + text + "' is no factor",
                       "the " + std::to_string(factors) + " factors are " +
                           std::string(kLetters.substr(0, std::min(factors, kMostLetters))));
    }
    const EffectWord bit = EffectWord{1} << place;
    if ((word & bit) != 0) throw InputError(at, "'" + text + "' names a factor twice");
    word |= bit;
  }
  if (word == 0) throw InputError(at, "a word of factors is empty");
  return word;
}

std::vector<EffectWord> word_group(const std::vector<EffectWord>& generators) {
  std::vector<EffectWord> group = {0};
  for (const EffectWord generator : generators) {
    const std::size_t size = group.size();
    for (std::size_t i = 0; i < size; ++i) group.push_back(group[i] ^ generator);
  }
  return group;
}

void sort_words(std::vector<EffectWord>& words) {
  std::ranges::sort(words, [](EffectWord a, EffectWord b) {
    if (length_of(a) != length_of(b)) return length_of(a) < length_of(b);
    return word_text(a) < word_text(b);
  });
}

std::vector<std::size_t> word_lengths(const std::vector<EffectWord>& group, std::size_t factors) {
  std::vector<std::size_t> counts(factors + 1, 0);
  for (const EffectWord word : group) {
    if (word != 0) ++counts[static_cast<std::size_t>(length_of(word))];
  }
  return counts;
}

int resolution_of(const std::vector<EffectWord>& group) {
  int shortest = 0;
  for (const EffectWord word : group) {
    if (word != 0 && (shortest == 0 || length_of(word) < shortest)) shortest = length_of(word);
  }
  return shortest;
}

std::vector<EffectWord> block_words(const std::vector<EffectWord>& group, std::size_t factors,
                                    std::size_t halvings) {
  std::vector<int> lengths(std::size_t{1} << factors);  // 0 for words of the group: they divide nothing
  for (EffectWord word = 0; word < lengths.size(); ++word) lengths[word] = shortest_alias(word, group);
  constexpr std::size_t kManyStarts = 8;  // factors up to which every first word is tried
  std::vector<EffectWord> best = extended({}, halvings, lengths);
  if (halvings < 2 || factors > kManyStarts) return best;
  for (EffectWord first = 1; first < lengths.size(); ++first) {
    std::vector<EffectWord> other = extended({first}, halvings, lengths);
    if (loss_of(other, lengths).better_than(loss_of(best, lengths))) best = std::move(other);
  }
  return best;
}

}  // namespace sextant::explore
