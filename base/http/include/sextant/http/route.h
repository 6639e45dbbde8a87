// What a server answers: a verb and a path with what comes in and goes out, and the function that answers.
// The server, its checks, its metrics and the OpenAPI file come from these declarations.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/http/schema.h"

namespace sextant::http {

enum class Verb { get, post, put, erase };

// What a handler gets: all of it was checked against the route.
struct Request {
  std::map<std::string, std::string> place = {};  // {id} of the path, decoded
  std::map<std::string, std::string> query = {};
  const Json* body = nullptr;  // follows the schema; none where the route takes none
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};
Response json_response(const Json& json, int status = 200);

// Thrown by handlers, said to the client as JSON.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, const std::string& message, std::string field = {}, std::string hint = {})
      : std::runtime_error(message), status_(status), field_(std::move(field)), hint_(std::move(hint)) {}
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& field() const { return field_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  int status_;
  std::string field_;
  std::string hint_;
};
// {"status": 404, "error": "…", "field": "…", "hint": "…"}, the last two where there are any.
Response refusal_response(const Refusal& refusal);
Schema refusal_schema();

struct QueryParameter {
  std::string name;
  Schema schema;  // no object and no list
};

struct DeclaredAnswer {
  int status = 200;
  std::string meaning;
  std::optional<Schema> body = {};  // of JSON
  std::string type = "application/json";
};

struct Route {
  Verb verb = Verb::get;
  std::string path;     // "/v1/jobs/{id}"
  std::string summary;  // one line
  std::vector<QueryParameter> query = {};
  std::optional<Schema> body = {};
  std::vector<DeclaredAnswer> answers = {};
  bool open = false;  // answered without a token
  std::function<Response(const Request&)> handle;
};

// The text as JSON that follows the schema. Refusal with 400 for what is no JSON, 422 for what does not
// follow.
Json checked_body(const Schema& schema, const std::string& text);

struct ApiInfo {
  std::string title;
  std::string summary;
  std::string version;
};
// OpenAPI 3.0 of all routes; the refusals that the server itself makes are part of each.
Json openapi(const ApiInfo& info, const std::vector<Route>& routes);

std::string verb_text(Verb verb);  // "GET"

}  // namespace sextant::http
