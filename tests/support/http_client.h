// A client of HTTP/1.1 for tests: one connection to this machine, blocking, that can also misbehave.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sextant::test {

struct HttpAnswer {
  int status = 0;                                   // 0: the server closed without a word
  std::map<std::string, std::string> headers = {};  // names in small letters
  std::string body = {};
};

struct HttpCall {
  std::string verb = "GET";
  std::string path = "/";
  std::string body = {};
  std::string token = {};
  std::string type = "application/json";
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port, double patience_s = 20);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] bool connected() const { return socket_ >= 0; }
  bool send(const std::string& bytes);  // as they are; false when the server is gone
  HttpAnswer receive();
  HttpAnswer call(const HttpCall& call);

 private:
  bool fill();

  int socket_ = -1;
  std::string buffer_;
};

// On a connection of its own.
HttpAnswer http_call(std::uint16_t port, const HttpCall& call);

}  // namespace sextant::test
