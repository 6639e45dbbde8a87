#include "sextant/http/schema.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"

namespace sextant::http {
namespace {

std::string member_place(const std::string& place, const std::string& name) {
  return place.empty() ? name : place + "." + name;
}

const char* kind_text(Schema::Kind kind) {
  switch (kind) {
    case Schema::Kind::object:
      return "an object";
    case Schema::Kind::list:
      return "a list";
    case Schema::Kind::text:
      return "a text";
    case Schema::Kind::number:
      return "a number";
    case Schema::Kind::integer:
      return "a whole number";
    case Schema::Kind::boolean:
      return "true or false";
  }
  return "";
}

bool has_kind(Schema::Kind kind, const Json& value) {
  switch (kind) {
    case Schema::Kind::object:
      return value.is_object();
    case Schema::Kind::list:
      return value.is_array();
    case Schema::Kind::text:
      return value.is_string();
    case Schema::Kind::number:
      return value.is_number();
    case Schema::Kind::integer:
      return value.is_number_integer();
    case Schema::Kind::boolean:
      return value.is_boolean();
  }
  return false;
}

// Empty: within. `what` is measured: "the number", "the length".
std::string outside(const Schema& schema, double value, const std::string& what) {
  if (!std::isfinite(value)) return what + " is not finite";
  if (value < schema.low) return what + " is " + number_text(value) + ", below " + number_text(schema.low);
  if (value > schema.high) return what + " is " + number_text(value) + ", above " + number_text(schema.high);
  return {};
}

std::string size_fault(const Schema& schema, const Json& value) {
  switch (schema.kind) {
    case Schema::Kind::number:
    case Schema::Kind::integer:
      return outside(schema, value.get<double>(), "the number");
    case Schema::Kind::text:
      return outside(schema, static_cast<double>(value.get_ref<const std::string&>().size()),
                     "the length of the text");
    case Schema::Kind::list:
      return outside(schema, static_cast<double>(value.size()), "the length of the list");
    case Schema::Kind::object:
    case Schema::Kind::boolean:
      return {};
  }
  return {};
}

std::optional<SchemaFault> fault_at(const Schema& schema, const Json& value, const std::string& place);

std::vector<std::string> member_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Member& member : schema.members) names.push_back(member.name);
  return names;
}

std::optional<SchemaFault> object_fault(const Schema& schema, const Json& value, const std::string& place) {
  for (const auto& [name, unused] : value.items()) {
    const std::vector<std::string> names = member_names(schema);
    if (std::ranges::find(names, name) == names.end())
      return SchemaFault{member_place(place, name), "there is no such member", name_hint(name, names)};
  }
  for (const Member& member : schema.members) {
    const auto found = value.find(member.name);
    if (found == value.end()) {
      if (member.required) return SchemaFault{member_place(place, member.name), "it is missing"};
    } else if (auto fault = fault_at(*member.schema, *found, member_place(place, member.name))) {
      return fault;
    }
  }
  return {};
}

std::optional<SchemaFault> fault_at(const Schema& schema, const Json& value, const std::string& place) {
  if (!has_kind(schema.kind, value))
    return SchemaFault{place, std::string("it is not ") + kind_text(schema.kind)};
  if (std::string what = size_fault(schema, value); !what.empty()) return SchemaFault{place, std::move(what)};
  if (!schema.choices.empty()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::ranges::find(schema.choices, text) == schema.choices.end())
      return SchemaFault{place, "'" + text + "' is not known", name_hint(text, schema.choices)};
  }
  if (schema.kind == Schema::Kind::object) return object_fault(schema, value, place);
  if (schema.kind == Schema::Kind::list) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto fault = fault_at(schema.items.front(), value[i], place + "[" + std::to_string(i) + "]");
      if (fault) return fault;
    }
  }
  return {};
}

const char* openapi_type(Schema::Kind kind) {
  switch (kind) {
    case Schema::Kind::object:
      return "object";
    case Schema::Kind::list:
      return "array";
    case Schema::Kind::text:
      return "string";
    case Schema::Kind::number:
      return "number";
    case Schema::Kind::integer:
      return "integer";
    case Schema::Kind::boolean:
      return "boolean";
  }
  return "";
}

struct BoundNames {
  const char* low;
  const char* high;
};

BoundNames bound_names(Schema::Kind kind) {
  if (kind == Schema::Kind::text) return {"minLength", "maxLength"};
  if (kind == Schema::Kind::list) return {"minItems", "maxItems"};
  return {"minimum", "maximum"};
}

Json bound_json(Schema::Kind kind, double bound) {
  const bool whole = kind != Schema::Kind::number && std::abs(bound) < 1e15;
  return whole ? Json(static_cast<std::int64_t>(bound)) : Json(bound);
}

Schema sized(Schema::Kind kind, std::string summary, Range range) {
  return {.kind = kind, .summary = std::move(summary), .low = range.low, .high = range.high};
}

}  // namespace

Member::Member(std::string its_name, Schema its_schema, bool is_required)
    : name(std::move(its_name)),
      schema(std::make_shared<const Schema>(std::move(its_schema))),
      required(is_required) {}

Schema object_of(std::string summary, std::vector<Member> members) {
  return {.kind = Schema::Kind::object, .summary = std::move(summary), .members = std::move(members)};
}
Schema list_of(Schema items, std::string summary, Range length) {
  Schema schema = sized(Schema::Kind::list, std::move(summary), length);
  schema.items.push_back(std::move(items));
  return schema;
}
Schema text_value(std::string summary, Range length) {
  return sized(Schema::Kind::text, std::move(summary), length);
}
Schema word_value(std::string summary, std::vector<std::string> choices) {
  return {.kind = Schema::Kind::text, .summary = std::move(summary), .choices = std::move(choices)};
}
Schema number_value(std::string summary, Range range) {
  return sized(Schema::Kind::number, std::move(summary), range);
}
Schema integer_value(std::string summary, Range range) {
  return sized(Schema::Kind::integer, std::move(summary), range);
}
Schema boolean_value(std::string summary) {
  return {.kind = Schema::Kind::boolean, .summary = std::move(summary)};
}
Member optional_member(std::string name, Schema schema) {
  return {std::move(name), std::move(schema), false};
}

std::optional<SchemaFault> fault_of(const Schema& schema, const Json& value) {
  return fault_at(schema, value, "");
}

Json schema_json(const Schema& schema) {
  Json json = {{"type", openapi_type(schema.kind)}};
  if (!schema.summary.empty()) json["description"] = schema.summary;
  const BoundNames names = bound_names(schema.kind);
  if (std::isfinite(schema.low)) json[names.low] = bound_json(schema.kind, schema.low);
  if (std::isfinite(schema.high)) json[names.high] = bound_json(schema.kind, schema.high);
  if (!schema.choices.empty()) json["enum"] = schema.choices;
  if (schema.kind == Schema::Kind::list) json["items"] = schema_json(schema.items.front());
  if (schema.kind != Schema::Kind::object) return json;
  json["properties"] = Json::object();
  for (const Member& member : schema.members) {
    json["properties"][member.name] = schema_json(*member.schema);
    if (member.required) json["required"].push_back(member.name);
  }
  json["additionalProperties"] = false;
  return json;
}

}  // namespace sextant::http
