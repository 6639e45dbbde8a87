// Members of Chrome trace events, as everybody writes them.
#pragma once

#include <cstdint>
#include <string>

#include "json_scan.h"
#include "sextant/core/json.h"

namespace sextant::spans {

// The event at `at`; InputError where it is no object.
Json event_at(const JsonScan& scan, std::size_t at, std::size_t end);

// Its arguments; none where it has none, or they are no object.
const Json* event_arguments(const Json& event);

// A text as it is, anything else as JSON writes it.
std::string plain_text(const Json& value);

// Empty where there is none, or no text.
std::string text_member(const Json& event, const char* name);

// Microseconds, as a number or as its text, in nanoseconds; InputError at `at`.
std::int64_t nanoseconds_member(const JsonScan& scan, std::size_t at, const Json& event, const char* name);

// InputError at `at` where it does not fit into 64 bits.
std::int64_t sum_of_times(const JsonScan& scan, std::size_t at, std::int64_t a, std::int64_t b);

// Of threads without a name of their own: "training", "communication", "thread 2".
std::string usual_thread_name(std::int64_t thread);

}  // namespace sextant::spans
