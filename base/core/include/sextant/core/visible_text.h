// Text that strangers wrote, made fit for people's eyes: what would command a terminal is spelt out.
#pragma once

#include <string>
#include <string_view>

namespace sextant {

enum class LineBreaks { spelt_out, kept };

// Control characters, among them those beyond ASCII and those that turn the direction of writing, as \n, \t
// or \x1b, bytes that are not UTF-8 as \xff, and U+FFFE and U+FFFF, which no XML may hold. All other text is
// as it was.
std::string visible(std::string_view text, LineBreaks breaks = LineBreaks::spelt_out);

}  // namespace sextant
