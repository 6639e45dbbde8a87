// What stands between the bytes of a request and the handler of its route: host, token, path, verb, type of
// the body, query, schema. Knows nothing of sockets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "path_pattern.h"
#include "sextant/http/route.h"

namespace sextant::http {

// What of a request's head matters here.
struct Head {
  std::string verb;
  std::string target;
  std::string host = {};
  std::string authorization = {};
  std::string content_type = {};
};

struct DeskOptions {
  std::string token = {};
  // Names by which this server may be called; empty: any. A page of a stranger, whose name points here, has
  // another.
  std::vector<std::string> hosts = {};
};

class Desk {
 public:
  Desk(std::vector<Route> routes, DeskOptions options);

  // What is asked for, or nothing: then `refusal` says why.
  struct Accepted {
    const Route* route = nullptr;
    Request request = {};
    std::optional<Response> refusal = {};
  };
  [[nodiscard]] Accepted accept(const Head& head) const;
  [[nodiscard]] static Response answer(Accepted accepted, const std::string& body);

 private:
  void check(const Head& head, Accepted& accepted) const;
  void check_token(const Head& head) const;
  void check_host(const Head& head) const;

  std::vector<Route> routes_;
  std::vector<PathPattern> patterns_;
  DeskOptions options_;
};

}  // namespace sextant::http
