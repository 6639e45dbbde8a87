// Well-formed UTF-8 by table 3-7 of the Unicode standard: no overlong forms, no surrogates.
#pragma once

#include <cstddef>
#include <string_view>

namespace sextant {

// Bytes of the first code point; 0 where the text does not begin with one.
std::size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace sextant
