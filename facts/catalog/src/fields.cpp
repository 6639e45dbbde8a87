#include "fields.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "sextant/core/text.h"

namespace sextant::catalog {
namespace {

constexpr std::int64_t kLargestCount = 10'000'000;
constexpr double kLeast = 1e-12;
constexpr double kMost = 1e24;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_id_char(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.';
}

}  // namespace

void check_plausible(double value, const SourcePos& at, std::string_view key) {
  if (!(value > 0)) throw InputError(at, "'" + std::string(key) + "' must be positive");
  if (value >= kLeast && value <= kMost) return;
  throw InputError(
      at, "'" + std::string(key) + "' is " + number_text(value) + " in SI units, which no device has",
      "between " + number_text(kLeast) + " and " + number_text(kMost));
}

bool has_key(TomlSection& section, std::string_view key) {
  return section.has(key) || section.maybe_text(key).has_value();
}

int maybe_count(TomlSection& section, std::string_view key) {
  const auto value = section.maybe_integer(key);
  if (!value) return 0;
  if (*value >= 1 && *value <= kLargestCount) return static_cast<int>(*value);
  throw InputError(section.where(key), "'" + std::string(key) + "' must be between 1 and ten million");
}

double maybe_amount(TomlSection& section, std::string_view key) {
  const auto value = section.maybe_number(key);
  if (!value) return 0;
  if (*value > 0) return *value;
  throw InputError(section.where(key), "'" + std::string(key) + "' must be positive");
}

std::string read_id(TomlSection& section) {
  std::string id = section.text("id");
  if (id.empty() || !std::ranges::all_of(id, is_id_char)) {
    throw InputError(section.where("id"),
                     "id '" + id + "' may hold lower-case letters, digits, '-' and '.' only",
                     id.empty() ? "" : "for example '" + to_id(id) + "'");
  }
  return id;
}

std::vector<std::string> read_aliases(TomlSection& section) {
  auto aliases = section.maybe_texts("aliases");
  if (std::ranges::any_of(aliases, [](const auto& alias) { return trim(alias).empty(); })) {
    throw InputError(section.where("aliases"), "an alias is empty");
  }
  return aliases;
}

void check_date(const std::string& date, const SourcePos& at) {
  constexpr std::string_view kForm = "0000-00-00";
  const bool digits = date.size() == kForm.size() && std::ranges::equal(date, kForm, [](char c, char form) {
                        return form == '0' ? is_digit(c) : c == form;
                      });
  const auto part = [&](std::size_t from, std::size_t length) {
    return static_cast<int>(to_integer(date.substr(from, length)).value_or(0));
  };
  using namespace std::chrono;
  if (digits && year_month_day{year{part(0, 4)}, month(static_cast<unsigned>(part(5, 2))),
                               day(static_cast<unsigned>(part(8, 2)))}
                    .ok()) {
    return;
  }
  throw InputError(at, "'" + date + "' is not a date", "year, month and day, such as '2025-01-31'");
}

std::string to_id(std::string_view name) {
  std::string id = fold_name(name);
  std::ranges::replace_if(
      id, [](char c) { return !is_id_char(c); }, '-');
  return id;
}

}  // namespace sextant::catalog
