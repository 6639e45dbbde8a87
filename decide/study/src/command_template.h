// A command with {factor} in it. The text is split into words first, as a shell does, and values are put in
// afterwards: whatever a value holds, it stays within its word and no shell reads it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "placeholders.h"

namespace sextant::study {

class CommandTemplate {
 public:
  // Names that may stand in braces besides factors and features ("vm.vcpus").
  using Extras = std::map<std::string, std::string>;

  // Words, with '…', "…" and \ as in a shell, but no expansion. {name} is a value, "" where the factor is
  // absent, or the text after | in {name|text}; braces around anything else are themselves. InputError for an
  // open quote, for a name in braces that is unknown.
  static CommandTemplate words(const std::string& text, const explore::SearchSpace& space,
                               const SourcePos& at, const std::vector<std::string>& extras = {});

  [[nodiscard]] std::vector<std::string> fill(const explore::SearchSpace& space,
                                              const explore::Configuration& configuration,
                                              const Extras& extras = {}) const;
  // The first word, where no value is part of it; else "".
  [[nodiscard]] std::string program() const;

 private:
  using Word = std::vector<TemplatePiece>;
  std::vector<Word> words_;
};

}  // namespace sextant::study
