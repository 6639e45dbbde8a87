// Clauses of the library as sentences below a table.
#pragma once

#include <cctype>
#include <string>

namespace sextant::report {

// A note as a sentence: its first letter is a capital, and it has its full stop.
inline std::string sentence(std::string clause) {
  if (!clause.empty())
    clause.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(clause.front())));
  return clause + ".";
}

}  // namespace sextant::report
