// Numbers of a record by name, for tests.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "sextant/records/record.h"

namespace sextant::records {

// Nothing when the record lacks the field.
inline std::optional<double> number_field(const Record& record, std::string_view name) {
  const auto field = std::ranges::find(record.fields, name, &Field::name);
  return field == record.fields.end() ? std::nullopt : std::optional(std::get<double>(field->value));
}

}  // namespace sextant::records
