// A bounded HTTP/1.1 server on Boost.Beast: one thread waits for all connections, a few answer. Every
// connection has limits on its bytes and its time; who is slow is told so (408) and cut off, who asks for too
// much too (413, 431, 503). On loopback anybody on this machine may ask; elsewhere a token is needed, and TLS
// is the business of a proxy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/units.h"
#include "sextant/http/metrics.h"
#include "sextant/http/route.h"

namespace sextant::http {

struct Address {
  std::string host = "127.0.0.1";  // numeric
  std::uint16_t port = 0;          // 0: any that is free
  [[nodiscard]] bool loopback() const;
  [[nodiscard]] std::string str() const;
};
// "127.0.0.1:8080", "[::1]:8080", "localhost:8080", ":8080" (loopback). InputError for anything else.
Address parse_address(const std::string& text, const SourcePos& at);

// The token in a file: one line of at least 16 visible characters. InputError with its place.
std::string read_token(const std::string& path);

struct Limits {
  std::size_t body = std::size_t{1} << 20U;     // bytes
  std::size_t header = std::size_t{16} << 10U;  // bytes, with the request line
  std::size_t connections = 512;
  std::size_t threads = 16;  // that answer
  Seconds request{10};       // from its first byte to its last
  Seconds idle{60};          // between two requests
  Seconds response{20};      // until the client has taken it
  Seconds farewell{5};       // for what is in hand, when the server stops
};

struct ServerOptions {
  Address listen = {};
  std::string token = {};  // empty: none is asked for, which only loopback allows
  Limits limits = {};
};

class Server {
 public:
  // Listens and answers from now on. InputError at `token` where the address needs one; SystemError where the
  // address cannot be had. The metrics must outlive the server.
  Server(std::vector<Route> routes, const ServerOptions& options, Metrics& metrics);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] Address address() const;  // with the port that was found
  // No new connections; requests in hand are answered. Returns when all is quiet, or after `farewell`.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sextant::http
