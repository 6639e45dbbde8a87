// Small text helpers: strict numbers, names that people mistype, lists separated by commas.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// The whole text as a number, or nothing: no trailing characters, no locale, no hexadecimal.
std::optional<double> to_number(std::string_view text);
std::optional<std::int64_t> to_integer(std::string_view text);

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string to_lower(std::string_view text);

// Names are compared without regard to case, and with '_', ' ' and '-' as one: "RTX 2080 Ti",
// "rtx-2080-ti" and "rtx_2080_ti" are the same GPU.
std::string fold_name(std::string_view name);

// Candidate with the fewest edits (insert, delete, replace, swap neighbours), if near enough to
// be a slip: at most a third of the letters.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

// "did you mean 'v100'?", or, when nothing is near, "one of: a, b, c" for short lists, for long ones names
// that hold this one, else "".
std::string name_hint(std::string_view name, std::span<const std::string> known);

// Shortest decimal text that reads back as the same double ("0.1", "1e+30", "inf", "nan").
std::string number_text(double value);

}  // namespace sextant
