// Well-formed UTF-8 by table 3-7 of the Unicode standard: no overlong forms, no surrogates.
#pragma once

#include <string_view>

namespace sextant::records {

bool is_utf8(std::string_view text);

}  // namespace sextant::records
