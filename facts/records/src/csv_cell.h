// One field in one CSV cell, and back without loss (the rule is in record_csv.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sextant/records/record.h"

namespace sextant::records {

bool reads_as_number(std::string_view cell);
std::string cell_of(const FieldValue& value);
std::optional<FieldValue> value_of(const std::string& cell);  // nothing for a blank cell

}  // namespace sextant::records
