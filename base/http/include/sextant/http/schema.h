// JSON as it is declared: which members a body has, of which type, within which bounds. Said once: bodies are
// checked against it, and the OpenAPI file shows it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/json.h"

namespace sextant::http {

struct Schema;

struct Member {
  Member(std::string its_name, Schema its_schema, bool is_required = true);

  std::string name;
  std::shared_ptr<const Schema> schema;
  bool required;
};

struct Schema {
  enum class Kind { object, list, text, number, integer, boolean };

  Kind kind = Kind::object;
  std::string summary = {};
  std::vector<Member> members = {};  // of an object; no others are allowed
  std::vector<Schema> items = {};    // of a list: the one that all its elements follow
  // Of a number its value, of a text its length in bytes, of a list its length.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  // of a text; none: any text
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

Schema object_of(std::string summary, std::vector<Member> members);
Schema list_of(Schema items, std::string summary, Range length = {0, 1e5});
Schema text_value(std::string summary, Range length = {0, 1000});
Schema word_value(std::string summary, std::vector<std::string> choices);
Schema number_value(std::string summary, Range range = {});
Schema integer_value(std::string summary, Range range = {});
Schema boolean_value(std::string summary);
Member optional_member(std::string name, Schema schema);

struct SchemaFault {
  std::string place;  // "times[2].seconds"; empty: the whole
  std::string what;
  std::string hint = {};
};
// The first thing in which the value differs from what is declared.
std::optional<SchemaFault> fault_of(const Schema& schema, const Json& value);

// As OpenAPI 3.0 writes it.
Json schema_json(const Schema& schema);

}  // namespace sextant::http
