#include "sextant/jobs/throughputs.h"

#include <algorithm>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "throughput_parser.h"

namespace sextant::jobs {

// '(' quoted-text ',' whole-number ')', with blanks between; quotes are ' or ", and a backslash keeps the
// next character, as Python prints a tuple.
std::optional<ThroughputKey> parse_throughput_key(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  text = trim(text.substr(1, text.size() - 2));
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return std::nullopt;
  const char quote = text[0];
  ThroughputKey key;
  std::size_t at = 1;
  for (; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\' && ++at == text.size()) return std::nullopt;
    key.model += text[at];
  }
  if (at >= text.size() || key.model.empty()) return std::nullopt;
  text = trim(text.substr(at + 1));
  if (!text.starts_with(',')) return std::nullopt;
  const std::optional<std::int64_t> gpus = to_integer(trim(text.substr(1)));
  if (!gpus || *gpus < 1 || *gpus > 1'000'000) return std::nullopt;
  key.gpus = *gpus;
  return key;
}

ThroughputTable ThroughputTable::parse(const std::string& text, const std::string& file) {
  return ThroughputParser(text, file).parse();
}

ThroughputTable ThroughputTable::read_file(const std::string& path) {
  return parse(read_text_file(path), path);
}

std::optional<std::size_t> ThroughputTable::find_type(std::string_view type) const {
  const auto found = std::ranges::find_if(
      types_, [folded = fold_name(type)](const std::string& known) { return fold_name(known) == folded; });
  if (found == types_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - types_.begin());
}

std::optional<std::size_t> ThroughputTable::find_key(std::string_view model, std::int64_t gpus) const {
  const auto found = std::ranges::find_if(
      keys_, [&](const ThroughputKey& key) { return key.gpus == gpus && key.model == model; });
  if (found == keys_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - keys_.begin());
}

double ThroughputTable::alone(std::size_t type, std::size_t key) const {
  return alone_.at(type * keys_.size() + key);
}

std::optional<double> ThroughputTable::spread(std::size_t type, std::size_t key) const {
  return spread_.at(type * keys_.size() + key);
}

std::optional<std::pair<double, double>> ThroughputTable::together(std::size_t type, std::size_t key,
                                                                   std::size_t other) const {
  const std::uint64_t row = (type * keys_.size() + key) * keys_.size() + other;
  if (const auto found = together_.find(row); found != together_.end()) return found->second;
  const std::uint64_t mirrored = (type * keys_.size() + other) * keys_.size() + key;
  const auto found = together_.find(mirrored);
  if (found == together_.end()) return std::nullopt;
  return std::pair{found->second.second, found->second.first};
}

}  // namespace sextant::jobs
