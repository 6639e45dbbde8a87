// JSON through nlohmann-json, in the order the keys were written, with positions in errors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sextant {

using Json = nlohmann::ordered_json;

// Throws InputError with line and column. Include <nlohmann/json.hpp> to use the result.
Json parse_json(const std::string& text, const std::string& file_name);
Json read_json_file(const std::string& path);

// The reason alone of the library's "[json.exception.parse_error.101] parse error at line 1, column 2:
// reason".
std::string json_reason(const std::string& what);

}  // namespace sextant
