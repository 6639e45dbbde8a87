// Text that strangers wrote, made fit for people's eyes: what would command a terminal is spelt out, and
// passwords are hidden.
#pragma once

#include <string>
#include <string_view>

namespace sextant {

enum class LineBreaks { spelt_out, kept };

// Control characters, among them those beyond ASCII and those that turn the direction of writing, as \n, \t
// or \x1b, and bytes that are not UTF-8 as \xff. All other text is as it was.
std::string visible(std::string_view text, LineBreaks breaks = LineBreaks::spelt_out);

// "postgresql://lab:secret@db/studies" as "postgresql://lab:***@db/studies", and "password=secret" as
// "password=***", wherever they stand in the text: a command line, a message, a setting.
std::string redact_url_password(std::string_view text);

}  // namespace sextant
