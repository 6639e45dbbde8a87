#include "command_template.h"

#include "sextant/measure/shell_words.h"

namespace sextant::study {

CommandTemplate CommandTemplate::words(const std::string& text, const explore::SearchSpace& space,
                                       const SourcePos& at, const std::vector<std::string>& extras) {
  CommandTemplate made;
  const std::vector<std::string> known = placeholder_names(space, extras);
  for (const std::string& word : measure::split_shell_words(text, at)) {
    made.words_.push_back(template_pieces(word, known, at));
  }
  if (made.words_.empty()) throw InputError(at, "the command is empty");
  return made;
}

std::vector<std::string> CommandTemplate::fill(const explore::SearchSpace& space,
                                               const explore::Configuration& configuration,
                                               const Extras& extras) const {
  std::vector<std::string> filled;
  for (const Word& word : words_) {
    std::string& text = filled.emplace_back();
    for (const TemplatePiece& piece : word) {
      if (!piece.value) {
        text += piece.text;
      } else if (const auto extra = extras.find(piece.text); extra != extras.end()) {
        text += extra->second;
      } else {
        text += placeholder_value(space, configuration, piece.text).value_or(piece.fallback);
      }
    }
  }
  return filled;
}

std::string CommandTemplate::program() const {
  const Word& first = words_.front();
  return first.size() == 1 && !first[0].value ? first[0].text : "";
}

}  // namespace sextant::study
