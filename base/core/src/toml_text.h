// What is refused before toml++ 3.3 sees it: letters beyond ASCII outside of strings and comments, which
// TOML 1.0 does not allow and with which it does something undefined; and keys of very many parts, for each
// of which it calls itself.
#pragma once

#include <string>

namespace sextant {

// InputError at the first of them. A string that is not closed is left to the parser.
void refuse_what_the_parser_cannot(const std::string& text, const std::string& file_name);

}  // namespace sextant
