// Strict access to the fields of a model file: a missing field or one of another type is an InputError
// that names it.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/stats/matrix.h"

namespace sextant::learn {

const Json& json_field(const Json& object, const char* name);
double json_number(const Json& object, const char* name);  // finite
std::size_t json_count(const Json& object, const char* name);
std::string json_text(const Json& object, const char* name);
const Json& json_list(const Json& object, const char* name);
std::vector<double> json_numbers(const Json& object, const char* name);
std::vector<std::string> json_texts(const Json& object, const char* name);
stats::Matrix json_matrix(const Json& object, const char* name);  // rows of equal length

Json matrix_json(const stats::Matrix& matrix);

}  // namespace sextant::learn
