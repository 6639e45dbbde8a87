// Words of a shell's line: taken apart and put together, without any of the shell's expansions (POSIX Shell
// Command Language, 2.2 Quoting).
#pragma once

#include <string>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::measure {

// One word for a shell.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

// Words by blanks, with '…', "…" and \. InputError for a quote that stays open.
std::vector<std::string> split_shell_words(const std::string& line, const SourcePos& at = {});

}  // namespace sextant::measure
