#include "command_template.h"

#include <algorithm>
#include <utility>

#include "sextant/core/plain_number.h"
#include "sextant/core/text.h"
#include "sextant/measure/shell_words.h"

namespace sextant::study {
namespace {

bool is_name(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  return parts.size() <= 2 && std::ranges::all_of(parts, explore::is_expression_name);
}

std::vector<std::string> known_names(const explore::SearchSpace& space,
                                     const std::vector<std::string>& extras) {
  std::vector<std::string> names = extras;
  for (const explore::SearchFactor& factor : space.factors()) {
    names.push_back(factor.name);
    for (const std::string& feature : factor.features.names) names.push_back(factor.name + "." + feature);
  }
  return names;
}

std::string value_text(const explore::ExpressionValue& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? plain_number_text(*number) : std::get<std::string>(value);
}

}  // namespace

void CommandTemplate::add_text(const std::string& text, const std::vector<std::string>& known,
                               const SourcePos& at) {
  Word word;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const std::string inside = close == std::string::npos ? "" : text.substr(i + 1, close - i - 1);
    const std::size_t bar = inside.find('|');
    const std::string name = inside.substr(0, bar);
    if (close == std::string::npos || !is_name(name)) {
      plain += text[i];
      continue;
    }
    if (std::ranges::find(known, name) == known.end()) {
      throw InputError(at, "'{" + name + "}' is no factor", name_hint(name, known));
    }
    if (!plain.empty()) word.push_back({std::exchange(plain, "")});
    word.push_back({name, true, bar == std::string::npos ? "" : inside.substr(bar + 1)});
    i = close;
  }
  if (!plain.empty() || word.empty()) word.push_back({plain});
  words_.push_back(std::move(word));
}

CommandTemplate CommandTemplate::words(const std::string& text, const explore::SearchSpace& space,
                                       const SourcePos& at, const std::vector<std::string>& extras) {
  CommandTemplate made;
  const std::vector<std::string> known = known_names(space, extras);
  for (const std::string& word : measure::split_shell_words(text, at)) made.add_text(word, known, at);
  if (made.words_.empty()) throw InputError(at, "the command is empty");
  return made;
}

CommandTemplate CommandTemplate::shell_line(const std::string& text, const explore::SearchSpace& space,
                                            const SourcePos& at, const std::vector<std::string>& extras) {
  CommandTemplate made;
  made.quoted_ = true;
  made.add_text(text, known_names(space, extras), at);
  return made;
}

std::vector<std::string> CommandTemplate::fill(const explore::SearchSpace& space,
                                               const explore::Configuration& configuration,
                                               const Extras& extras) const {
  std::vector<std::string> filled;
  for (const Word& word : words_) {
    std::string& text = filled.emplace_back();
    for (const Piece& piece : word) {
      if (!piece.value) {
        text += piece.text;
        continue;
      }
      std::string value = piece.fallback;
      if (const auto named = space.named_value(configuration, piece.text)) value = value_text(*named);
      if (const auto extra = extras.find(piece.text); extra != extras.end()) value = extra->second;
      text += quoted_ ? measure::shell_quoted(value) : value;
    }
  }
  return filled;
}

std::string CommandTemplate::program() const {
  const Word& first = words_.front();
  return !quoted_ && first.size() == 1 && !first[0].value ? first[0].text : "";
}

}  // namespace sextant::study
