// Values of attributes as JSON: OTLP's {"intValue": "7"}, which names the type, and plain ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sextant/core/json.h"
#include "sextant/spans/span.h"

namespace sextant::spans {

using SpanAttribute = std::pair<std::string, SpanValue>;

Json otlp_value(const SpanValue& value);
Json otlp_attribute(const SpanAttribute& attribute);  // {"key": …, "value": …}
// Values that have no counterpart (arrays, lists of pairs, bytes) become their text; nothing for what is no
// value.
std::optional<SpanValue> from_otlp_value(const Json& value);
std::optional<SpanAttribute> from_otlp_attribute(const Json& attribute);

Json plain_value(const SpanValue& value);
SpanValue from_plain_value(const Json& value);  // what is no number, truth or string: its text

// The attribute of a process in OTLP that names one of its threads: "thread.7.name".
std::string thread_name_key(std::int64_t thread);
std::optional<std::int64_t> thread_of_name_key(std::string_view key);

// A whole number, also where it stands in quotes.
std::optional<std::int64_t> integer_of(const Json& value);

}  // namespace sextant::spans
