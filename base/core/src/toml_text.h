// What TOML 1.0 allows beyond ASCII: strings and comments, nothing else. toml++ 3.3 leaves what it does with
// other such letters undefined, so they are refused before it sees them.
#pragma once

#include <string>

namespace sextant {

// InputError at the first such letter outside strings and comments. A string that is not closed is left to
// the parser.
void refuse_letters_outside_strings(const std::string& text, const std::string& file_name);

}  // namespace sextant
