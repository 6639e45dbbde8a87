#include <nlohmann/json.hpp>

#include "path_pattern.h"
#include "sextant/core/text.h"
#include "sextant/http/route.h"

namespace sextant::http {
namespace {

Json parameter_json(const std::string& name, const char* place, const Schema& schema) {
  Json json = {{"name", name}, {"in", place}, {"required", std::string(place) == "path"}};
  if (!schema.summary.empty()) json["description"] = schema.summary;
  json["schema"] = schema_json(schema);
  return json;
}

Json content(const std::string& type, const Json& schema) {
  return {{type, {{"schema", schema}}}};
}

Json answer_json(const DeclaredAnswer& answer) {
  Json json = {{"description", answer.meaning}};
  json["content"] = content(answer.type, answer.body ? schema_json(*answer.body) : Json{{"type", "string"}});
  return json;
}

Json operation_json(const Route& route) {
  Json json = {{"summary", route.summary}};
  if (route.open) json["security"] = Json::array();
  for (const std::string& name : PathPattern(route.path).names()) {
    json["parameters"].push_back(parameter_json(name, "path", text_value("", {1, kLongestName})));
  }
  for (const QueryParameter& parameter : route.query) {
    json["parameters"].push_back(parameter_json(parameter.name, "query", parameter.schema));
  }
  if (route.body) {
    json["requestBody"] = {{"required", true},
                           {"content", content("application/json", schema_json(*route.body))}};
  }
  for (const DeclaredAnswer& answer : route.answers) {
    json["responses"][std::to_string(answer.status)] = answer_json(answer);
  }
  json["responses"]["default"] = {{"$ref", "#/components/responses/Refusal"}};
  return json;
}

}  // namespace

Json openapi(const ApiInfo& info, const std::vector<Route>& routes) {
  Json json = {{"openapi", "3.0.3"},
               {"info", {{"title", info.title}, {"description", info.summary}, {"version", info.version}}}};
  Json& paths = json["paths"] = Json::object();
  for (const Route& route : routes)
    paths[route.path][to_lower(verb_text(route.verb))] = operation_json(route);
  json["components"]["securitySchemes"]["token"] = {{"type", "http"}, {"scheme", "bearer"}};
  json["components"]["responses"]["Refusal"] = {
      {"description",
       "refused: 400 malformed, 401 no token, 404, 405, 408 too slow, 409 contradicts what is known, "
       "413 and 431 too large, 415 no JSON, 422 not as declared, 500 and 503 not the client's fault"},
      {"content", content("application/json", schema_json(refusal_schema()))}};
  json["security"] = Json::array({Json{{"token", Json::array()}}});
  return json;
}

}  // namespace sextant::http
