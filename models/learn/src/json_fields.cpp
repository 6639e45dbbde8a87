#include "json_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json_place.h"

namespace sextant::learn {
namespace {

double number_in(const Json& value, const char* name) {
  if (!value.is_number()) throw JsonFault::at_value(value, name, "is not a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number)) throw JsonFault::at_value(value, name, "is not finite");
  return number;
}

}  // namespace

const Json& json_field(const Json& object, const char* name) {
  if (!object.is_object()) throw JsonFault(object, name, "is missing: what should hold it is not an object");
  const auto found = object.find(name);
  if (found == object.end()) throw JsonFault(object, name, "is missing");
  return *found;
}

double json_number(const Json& object, const char* name) {
  return number_in(json_field(object, name), name);
}

std::size_t json_count(const Json& object, const char* name) {
  const double number = json_number(object, name);
  if (number < 0 || number > 9e15 || number != std::floor(number))
    throw JsonFault(object, name, "is not a whole number from 0 on");
  return static_cast<std::size_t>(number);
}

std::string json_text(const Json& object, const char* name) {
  const Json& value = json_field(object, name);
  if (!value.is_string()) throw JsonFault(object, name, "is not a text");
  return value.get<std::string>();
}

const Json& json_list(const Json& object, const char* name) {
  const Json& value = json_field(object, name);
  if (!value.is_array()) throw JsonFault(object, name, "is not a list");
  return value;
}

std::vector<double> json_numbers(const Json& object, const char* name) {
  std::vector<double> numbers;
  for (const auto& value : json_list(object, name)) numbers.push_back(number_in(value, name));
  return numbers;
}

std::vector<std::string> json_texts(const Json& object, const char* name) {
  std::vector<std::string> texts;
  for (const auto& value : json_list(object, name)) {
    if (!value.is_string()) throw JsonFault::at_value(value, name, "is not a text");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

stats::Matrix json_matrix(const Json& object, const char* name) {
  std::vector<std::vector<double>> rows;
  for (const auto& row : json_list(object, name)) {
    if (!row.is_array()) throw JsonFault::at_value(row, name, "is not a list");
    rows.emplace_back();
    for (const auto& value : row) rows.back().push_back(number_in(value, name));
  }
  return stats::Matrix::from_rows(rows);
}

Json matrix_json(const stats::Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

}  // namespace sextant::learn
