#include "record_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "sextant/core/json.h"

namespace sextant::records {
namespace {

using Inputs = std::vector<std::pair<std::string, std::string>>;

FieldValue field_value(const Json& value, const std::string& where) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw InputError({where}, "a field is a number or a text, not " + value.dump());
}

const Json& member(const Json& object, const char* key, const std::string& where) {
  const auto it = object.find(key);
  if (it == object.end()) throw InputError({where}, std::string("'") + key + "' is missing");
  return *it;
}

std::string text_member(const Json& object, const char* key, const std::string& where) {
  const Json& value = member(object, key, where);
  if (!value.is_string()) throw InputError({where}, std::string("'") + key + "' is not a text");
  return value.get<std::string>();
}

Inputs inputs_from(const Json& array, const std::string& where) {
  if (!array.is_array()) throw InputError({where}, "inputs are a list of {\"name\", \"sha256\"}");
  Inputs inputs;
  for (const Json& input : array) {
    inputs.emplace_back(text_member(input, "name", where), text_member(input, "sha256", where));
  }
  return inputs;
}

}  // namespace

std::string encode_fields(const std::vector<Field>& fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) {
    std::visit([&, &key = name](const auto& v) { object[key] = v; }, value);
  }
  return object.dump();
}

std::string encode_provenance(const Provenance& provenance) {
  return to_json(provenance).dump();
}

std::string encode_inputs(const Provenance& provenance) {
  return to_json(provenance)["inputs"].dump();
}

std::vector<Field> decode_fields(const std::string& text, const std::string& where) {
  const Json object = parse_json(text, where);
  if (!object.is_object()) throw InputError({where}, "fields are not a JSON object");
  std::vector<Field> fields;
  for (const auto& [name, value] : object.items()) fields.push_back({name, field_value(value, where)});
  return fields;
}

Provenance decode_provenance(const std::string& text, const std::string& where) {
  const Json object = parse_json(text, where);
  const Json& seed = member(object, "seed", where);
  if (!seed.is_number_unsigned()) throw InputError({where}, "'seed' is not a whole number");
  return {text_member(object, "version", where),
          text_member(object, "date", where),
          text_member(object, "host", where),
          text_member(object, "command", where),
          seed.get<std::uint64_t>(),
          inputs_from(member(object, "inputs", where), where)};
}

Inputs decode_inputs(const std::string& text, const std::string& where) {
  return inputs_from(parse_json(text, where), where);
}

}  // namespace sextant::records
