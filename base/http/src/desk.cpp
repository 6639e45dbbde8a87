#include "desk.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::http {
namespace {

// In a time that does not depend on where the texts differ.
bool same_secret(const std::string& a, const std::string& b) {
  unsigned char differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differ |= static_cast<unsigned char>(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
  }
  return differ == 0;
}

// "127.0.0.1:8080" and "[::1]:8080" without the port.
std::string host_alone(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  return to_lower(port ? host.substr(0, colon) : host);
}

// A page of a stranger can post forms and plain text to this machine without asking; JSON it cannot.
bool is_json(const std::string& type) {
  return to_lower(trim(split(type, ';').front())) == "application/json";
}

Json query_value(const Schema& schema, const std::string& text) {
  if (schema.kind == Schema::Kind::integer) {
    const auto number = to_integer(text);
    return number ? Json(*number) : Json(text);
  }
  if (schema.kind == Schema::Kind::number) {
    const auto number = to_number(text);
    return number ? Json(*number) : Json(text);
  }
  if (schema.kind == Schema::Kind::boolean && (text == "true" || text == "false")) return text == "true";
  return text;
}

void check_query(const Route& route, const std::map<std::string, std::string>& query) {
  std::vector<std::string> names;
  for (const QueryParameter& parameter : route.query) names.push_back(parameter.name);
  for (const auto& [name, value] : query) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw Refusal(400, "the query has an unknown parameter '" + name + "'", name, name_hint(name, names));
    const Schema& schema = route.query[static_cast<std::size_t>(found - names.begin())].schema;
    if (const auto fault = fault_of(schema, query_value(schema, value)))
      throw Refusal(400, name + ": " + fault->what, name, fault->hint);
  }
}

}  // namespace

Desk::Desk(std::vector<Route> routes, DeskOptions options)
    : routes_(std::move(routes)), options_(std::move(options)) {
  for (const Route& route : routes_) patterns_.emplace_back(route.path);
}

void Desk::check_host(const Head& head) const {
  if (options_.hosts.empty()) return;
  if (std::ranges::find(options_.hosts, host_alone(head.host)) == options_.hosts.end())
    throw Refusal(421, "this server is not called '" + head.host + "'");
}

void Desk::check_token(const Head& head) const {
  if (options_.token.empty()) return;
  if (head.authorization.empty())
    throw Refusal(401, "a token is needed", "", "send 'Authorization: Bearer TOKEN'");
  const std::size_t blank = head.authorization.find(' ');
  const bool bearer = to_lower(head.authorization.substr(0, blank)) == "bearer";
  const std::string given =
      blank == std::string::npos ? "" : std::string(trim(head.authorization.substr(blank + 1)));
  if (!bearer || !same_secret(given, options_.token)) throw Refusal(401, "the token is not the right one");
}

void Desk::check(const Head& head, Accepted& accepted) const {
  const Target target = parse_target(head.target);
  check_host(head);
  std::vector<std::string> verbs;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    auto place = patterns_[i].match(target.segments);
    if (!place) continue;
    verbs.push_back(verb_text(routes_[i].verb));
    if (verbs.back() != head.verb) continue;
    accepted.route = &routes_[i];
    accepted.request.place = *std::move(place);
  }
  if (accepted.route == nullptr || !accepted.route->open) check_token(head);
  if (accepted.route == nullptr) {
    if (verbs.empty()) throw Refusal(404, "there is nothing at this path");
    accepted.refusal = refusal_response(Refusal(405, head.verb + " is not for this path"));
    accepted.refusal->headers.emplace_back("Allow", join(verbs, ", "));
    return;
  }
  if (accepted.route->body && !is_json(head.content_type))
    throw Refusal(415, "the header Content-Type has to be application/json", "",
                  "send 'Content-Type: application/json'");
  check_query(*accepted.route, target.query);
  accepted.request.query = target.query;
}

Desk::Accepted Desk::accept(const Head& head) const {
  Accepted accepted;
  try {
    check(head, accepted);
  } catch (const Refusal& refusal) {
    accepted.refusal = refusal_response(refusal);
    if (refusal.status() == 401) accepted.refusal->headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return accepted;
}

Response Desk::answer(Accepted accepted, const std::string& body) {
  try {
    Json json;
    if (accepted.route->body) {
      json = checked_body(*accepted.route->body, body);
      accepted.request.body = &json;
    } else if (!body.empty()) {
      throw Refusal(400, "there must be no body here");
    }
    return accepted.route->handle(accepted.request);
  } catch (const Refusal& refusal) {
    return refusal_response(refusal);
  } catch (const InputError& error) {
    return refusal_response(
        Refusal(422, error.message(), error.where().field ? error.where().file : "", error.hint()));
  } catch (const SystemError& error) {
    return refusal_response(Refusal(503, error.what()));
  } catch (const std::exception& error) {
    return refusal_response(Refusal(500, error.what()));
  }
}

}  // namespace sextant::http
