#include "sextant/http/route.h"

#include <nlohmann/json.hpp>

#include "sextant/core/error.h"

namespace sextant::http {
namespace {

constexpr int kUnprocessable = 422;

}  // namespace

Response json_response(const Json& json, int status) {
  // Texts of strangers may hold bytes that are no UTF-8: they are replaced, never a reason to fail.
  return {.status = status, .body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

Response refusal_response(const Refusal& refusal) {
  Json json = {{"status", refusal.status()}, {"error", refusal.what()}};
  if (!refusal.field().empty()) json["field"] = refusal.field();
  if (!refusal.hint().empty()) json["hint"] = refusal.hint();
  return json_response(json, refusal.status());
}

Schema refusal_schema() {
  return object_of("why a request was refused",
                   {{"status", integer_value("the status of the answer", {400, 599})},
                    {"error", text_value("what is wrong", {1, 10000})},
                    optional_member("field", text_value("where in the request")),
                    optional_member("hint", text_value("what would help", {1, 10000}))});
}

Json checked_body(const Schema& schema, const std::string& text) {
  Json json;
  try {
    json = parse_json(text, "body");
  } catch (const InputError& error) {
    const SourcePos& at = error.where();
    throw Refusal(
        400, "the body is no JSON: " + error.message(),
        at.line > 0 ? "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) : "",
        error.hint());
  }
  if (const auto fault = fault_of(schema, json)) {
    throw Refusal(kUnprocessable, (fault->place.empty() ? "the body" : fault->place) + ": " + fault->what,
                  fault->place, fault->hint);
  }
  return json;
}

std::string verb_text(Verb verb) {
  switch (verb) {
    case Verb::get:
      return "GET";
    case Verb::post:
      return "POST";
    case Verb::put:
      return "PUT";
    case Verb::erase:
      return "DELETE";
  }
  return {};
}

}  // namespace sextant::http
