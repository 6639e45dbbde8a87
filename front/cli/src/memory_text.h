// What is said when there is no memory left.
#pragma once

#include <string>

namespace sextant::cli {

// What was asked for, how much the program held at most, the limit if it has one, and what helps.
std::string out_of_memory_text(const std::string& command_line);

}  // namespace sextant::cli
