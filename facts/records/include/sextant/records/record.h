// A measurement as it was taken: named numbers and texts, plus where they come from.
// The id is made by the writer before the record is stored, so a write whose outcome is unknown
// (a crash, a lost connection) is repeated with the same id and never counts twice.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/provenance.h"

namespace sextant::records {

using FieldValue = std::variant<double, std::string>;  // numbers are finite

struct Field {
  std::string name;
  FieldValue value;

  bool operator==(const Field&) const = default;
};

struct Record {
  std::string id;             // 32 lower-case hexadecimal digits
  std::string kind;           // "training-step", "operator", "collective"
  std::vector<Field> fields;  // at least one; names are unique, their order is kept
  Provenance provenance;
};

// A record with a fresh id. Ids are drawn from the system's entropy and not from a seeded stream:
// they say which act of measuring this was, so they belong to provenance and not to results.
Record new_record(std::string kind, std::vector<Field> fields, Provenance provenance);
std::string new_record_id();
bool is_record_id(std::string_view text);

// Throws InputError for an id that is none, an empty kind, no fields, a field name that is empty,
// repeated, blank at an end, or reserved ("id", "kind", "provenance.…"), a number that is not
// finite, and text that is not UTF-8 or holds a NUL byte.
void check_record(const Record&, const SourcePos& at = {});

// Same id, kind and fields, whatever their order: the test of "already there". Provenance may
// differ, since importing a file a second time happens on another date.
bool same_measurement(const Record& a, const Record& b);

// Nothing when the record lacks the field. A number is given as its shortest exact text.
std::optional<std::string> text_field(const Record&, std::string_view name);

}  // namespace sextant::records
