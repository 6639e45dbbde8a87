// Reading one entry of a catalogue file: quantities that must be positive, names, dates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/toml.h"

namespace sextant::catalog {

template <class Quantity>
using Parser = Quantity (*)(std::string_view, const SourcePos&);

// InputError unless it is positive, and neither so small nor so large (in SI units) that times computed from
// it would leave the range of numbers.
void check_plausible(double value, const SourcePos& at, std::string_view key);

// A bare number reaches the parser too, so that the message is about the missing unit.
template <class Quantity>
Quantity positive(TomlSection& section, std::string_view key, Parser<Quantity> parse) {
  const auto value = parse(section.scalar(key), section.where(key));
  check_plausible(value.value, section.where(key), key);
  return value;
}

// Whether the key is there. Asking makes it a known key, which the hint for a misspelt one may offer.
bool has_key(TomlSection&, std::string_view key);

template <class Quantity>
std::optional<Quantity> maybe_positive(TomlSection& section, std::string_view key, Parser<Quantity> parse) {
  if (!has_key(section, key)) return std::nullopt;
  return positive(section, key, parse);
}

// A whole number from 1 to ten million; 0 where the key is absent.
int maybe_count(TomlSection&, std::string_view key);
// A number above zero; 0 where the key is absent.
double maybe_amount(TomlSection&, std::string_view key);

// Lower-case letters, digits, '-' and '.': what people type and what files refer to.
std::string read_id(TomlSection&);
// Other names, none of them blank.
std::vector<std::string> read_aliases(TomlSection&);
// YYYY-MM-DD.
void check_date(const std::string& date, const SourcePos& at);

// "Standard_NC6s_v3" as "standard-nc6s-v3": anything that an id may not hold becomes '-'.
std::string to_id(std::string_view name);

}  // namespace sextant::catalog
