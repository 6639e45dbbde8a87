#include "sextant/core/count_text.h"

#include <array>
#include <string>
#include <utility>

#include "sextant/core/text.h"

namespace sextant {

std::optional<double> to_count(std::string_view text) {
  constexpr std::array<std::pair<char, const char*>, 6> kPowers = {
      {{'k', "e3"}, {'K', "e3"}, {'M', "e6"}, {'G', "e9"}, {'B', "e9"}, {'T', "e12"}}};
  const std::string_view all = trim(text);
  for (const auto& [letter, power] : kPowers) {
    if (!all.ends_with(letter)) continue;
    // As one decimal number, so that 4.1B is whole.
    const std::string_view digits = trim(all.substr(0, all.size() - 1));
    return digits.empty() ? std::nullopt : to_number(std::string(digits) + power);
  }
  return to_number(all);
}

}  // namespace sextant
