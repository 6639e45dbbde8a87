#include "csv_cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::records {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr double kExactIntegers = 0x1p53;  // below this a double holds every whole number

// Exact decimal digits of a whole number; the largest double has 309.
std::string whole_digits(double value) {
  std::array<char, 400> buffer{};
  char* end = buffer.data() + buffer.size();
  end = std::to_chars(buffer.data(), end, value, std::chars_format::fixed, 0).ptr;
  return {buffer.data(), end};
}

bool keeps_every_digit(std::string_view digits, double value) {
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && kDigits.find(digits[1]) != kDigits.npos;
  if (leading_zero) return false;
  const bool fraction = digits.find('.') != digits.npos && digits.find_first_of("eE") == digits.npos;
  if (fraction && (digits.ends_with('0') || digits.ends_with('.'))) return false;  // "1.10" is not 1.1
  const bool whole = digits.find_first_not_of(kDigits) == digits.npos;
  return !whole || std::abs(value) < kExactIntegers || whole_digits(std::abs(value)) == digits;
}

// Text that an apostrophe must protect: a number or nothing, behind any number of apostrophes.
bool needs_apostrophe(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  return trim(text).empty() || reads_as_number(text);
}

}  // namespace

bool reads_as_number(std::string_view cell) {
  std::string_view text = trim(cell);
  const auto value = to_number(text);
  if (!value || !std::isfinite(*value)) return false;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return keeps_every_digit(text, *value);
}

std::string cell_of(const FieldValue& value) {
  if (const double* number = std::get_if<double>(&value)) return number_text(*number);
  const auto& text = std::get<std::string>(value);
  return needs_apostrophe(text) ? "'" + text : text;
}

std::optional<FieldValue> value_of(const std::string& cell) {
  if (trim(cell).empty()) return std::nullopt;
  if (reads_as_number(cell)) return *to_number(trim(cell));
  if (cell.starts_with('\'') && needs_apostrophe(cell)) return cell.substr(1);
  return cell;
}

}  // namespace sextant::records
