// Clauses of the library as sentences below a table.
#pragma once

#include <cctype>
#include <string>

namespace sextant::report {

// "Why outside: ..." of "why outside: ...", with its full stop.
inline std::string sentence(std::string clause) {
  if (!clause.empty())
    clause.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(clause.front())));
  return clause + ".";
}

}  // namespace sextant::report
