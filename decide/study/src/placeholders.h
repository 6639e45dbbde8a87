// Texts with {factor} in them, taken apart: what stands there as it is, and names of values.
#pragma once

#include <string>
#include <vector>

#include "sextant/explore/space.h"

namespace sextant::study {

struct TemplatePiece {
  std::string text;  // as it is, or a name
  bool value = false;
  std::string fallback = {};  // of {name|fallback}: where the factor is absent
};

// Factors, features ("vm.vcpus"), and `extras`.
std::vector<std::string> placeholder_names(const explore::SearchSpace& space,
                                           const std::vector<std::string>& extras);

enum class Dollar { plain, of_a_shell };  // ${name} is a variable of a shell, no value

// At least one piece. Braces around what is no name are themselves; InputError at `at` for a name that is not
// `known`.
std::vector<TemplatePiece> template_pieces(const std::string& text, const std::vector<std::string>& known,
                                           const SourcePos& at, Dollar dollar = Dollar::plain);

// A factor's text or a feature's number; nothing where the factor is absent.
std::optional<std::string> placeholder_value(const explore::SearchSpace& space,
                                             const explore::Configuration& configuration,
                                             const std::string& name);

}  // namespace sextant::study
