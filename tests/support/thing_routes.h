// Routes that the tests of the server and the fuzzer of requests ask: things by their id, and new ones.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sextant/http/route.h"

namespace sextant::test {

inline std::vector<http::Route> thing_routes() {
  const http::Schema thing = http::object_of(
      "", {{"name", http::text_value("", {1, 20})},
           http::optional_member("count", http::integer_value("", {0, 10})),
           http::optional_member("list", http::list_of(http::number_value("", {0, 9}), "", {0, 3}))});
  return {{.path = "/v1/things/{id}",
           .summary = "one",
           .query = {{"limit", http::integer_value("", {1, 5})}},
           .handle =
               [](const http::Request& request) {
                 return http::json_response({{"id", request.place.at("id")}});
               }},
          {.verb = http::Verb::post,
           .path = "/v1/things",
           .summary = "add",
           .body = thing,
           .handle = [](const http::Request& request) { return http::json_response(*request.body, 201); }}};
}

}  // namespace sextant::test
