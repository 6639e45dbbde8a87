// A real server on loopback, and clients that behave and misbehave.
#include "sextant/http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "error_of.h"
#include "http_client.h"
#include "thing_routes.h"

namespace sextant::http {
namespace {

using test::HttpAnswer;
using test::HttpClient;
using testing::HasSubstr;

std::vector<Route> routes() {
  std::vector<Route> all = test::thing_routes();
  all.push_back({.path = "/healthz", .summary = "alive", .open = true, .handle = [](const Request&) {
                   return Response{.body = "ok\n", .type = "text/plain"};
                 }});
  all.push_back({.path = "/v1/broken", .summary = "fails", .handle = [](const Request&) -> Response {
                   throw SystemError("the disk is full");
                 }});
  all.push_back({.path = "/v1/slow", .summary = "waits", .handle = [](const Request&) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(300));
                   return json_response({{"done", true}});
                 }});
  return all;
}

const std::string kToken = "a-token-of-enough-letters";

class HttpServer : public testing::Test {
 protected:
  explicit HttpServer(ServerOptions options = {}) : server(routes(), options, metrics) {}
  [[nodiscard]] HttpAnswer call(const test::HttpCall& call) const {
    return test::http_call(server.address().port, call);
  }
  [[nodiscard]] int status(const test::HttpCall& each) const { return call(each).status; }
  // The answer to bytes that no library would send.
  [[nodiscard]] HttpAnswer raw(const std::string& bytes) const {
    HttpClient client(server.address().port);
    client.send(bytes);
    return client.receive();
  }

  Metrics metrics;
  Server server;
};

TEST_F(HttpServer, AnswersOnLoopbackWithoutAToken) {
  const HttpAnswer answer = call({.path = "/v1/things/a%20b"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "{\"id\":\"a b\"}\n");
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_TRUE(server.address().loopback());
}

TEST_F(HttpServer, KeepsAConnectionForManyRequests) {
  HttpClient client(server.address().port);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(client.call({.verb = "POST", .path = "/v1/things", .body = R"({"name":"x"})"}).status, 201);
  }
}

TEST_F(HttpServer, AnswersRequestsThatWereSentTogetherInOrder) {
  HttpClient client(server.address().port);
  const std::string head = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send("GET /v1/things/1" + head + "GET /v1/things/2" + head);
  EXPECT_EQ(client.receive().body, "{\"id\":\"1\"}\n");
  EXPECT_EQ(client.receive().body, "{\"id\":\"2\"}\n");
}

TEST_F(HttpServer, RefusesWithTheRightStatus) {
  EXPECT_EQ(status({.path = "/nothing"}), 404);
  EXPECT_EQ(status({.path = "/v1/things/"}), 404);
  const HttpAnswer verb = call({.verb = "DELETE", .path = "/v1/things/7"});
  EXPECT_EQ(verb.status, 405);
  EXPECT_EQ(verb.headers.at("allow"), "GET");
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = "name=x", .type = "text/plain"}), 415);
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things"}), 415) << "no body at all has no type either";
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = "{\"name\":"}), 400);
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = std::string(5000, '[')}), 400);
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = "[]"}), 422);
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = R"({"name":""})"}), 422);
  EXPECT_EQ(status({.path = "/v1/things/7?limit=9"}), 400);
  EXPECT_EQ(status({.path = "/v1/things/7?many=1"}), 400);
  EXPECT_EQ(status({.path = "/v1/broken"}), 503);
}

TEST_F(HttpServer, NamesTheFieldThatIsWrong) {
  const HttpAnswer answer = call({.verb = "POST", .path = "/v1/things", .body = R"({"name":"x","cuont":3})"});
  const Json json = Json::parse(answer.body);
  EXPECT_EQ(json["status"], 422);
  EXPECT_EQ(json["field"], "cuont");
  EXPECT_EQ(json["hint"], "did you mean 'count'?");
  EXPECT_FALSE(fault_of(refusal_schema(), json));
}

TEST_F(HttpServer, RefusesPathsThatTryToLeave) {
  for (const char* path :
       {"/v1/../etc/passwd", "/v1/things/..", "/v1/things/%2e%2e", "/v1/things/..%2fpasswd",
        "/v1/things/a%5c..%5cb", "/v1/things/%00", "/v1/things/%zz", "/v1/things/%ff"}) {
    EXPECT_EQ(status({.path = path}), 400) << path;
  }
  EXPECT_EQ(raw("GET http://elsewhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 400);
}

TEST_F(HttpServer, RefusesWhatIsNoRequest) {
  EXPECT_EQ(raw("hello\r\n\r\n").status, 400);
  EXPECT_EQ(raw("GET /healthz HTTP/7.3\r\n\r\n").status, 505);
  EXPECT_EQ(raw("POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Content-Length: x\r\n\r\n")
                .status,
            400);
}

TEST_F(HttpServer, RefusesNamesOfStrangers) {
  EXPECT_EQ(raw("GET /v1/things/1 HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 421);
  EXPECT_EQ(raw("GET /v1/things/1 HTTP/1.1\r\nHost: LOCALHOST:99\r\n\r\n").status, 200);
  EXPECT_EQ(raw("GET /v1/things/1 HTTP/1.1\r\nHost: [::1]:99\r\n\r\n").status, 200);
}

TEST_F(HttpServer, RefusesBodiesAndHeadsThatAreTooLarge) {
  const std::string large(std::size_t{1} << 20U, 'x');
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = large + "x"}), 413);
  EXPECT_EQ(status({.verb = "POST", .path = "/v1/things", .body = large}), 400)
      << "as large as allowed, but no JSON";
  EXPECT_EQ(raw("POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Transfer-Encoding: chunked\r\n\r\n200000\r\n" +
                large + large + "\r\n0\r\n\r\n")
                .status,
            413);
  EXPECT_EQ(
      raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20000, 'x') + "\r\n\r\n").status,
      431);
  EXPECT_EQ(status({.path = "/healthz"}), 200) << "and goes on";
}

TEST_F(HttpServer, ContinuesWhenAskedTo) {
  HttpClient client(server.address().port);
  client.send(
      "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Expect: 100-continue\r\nContent-Length: 12\r\n\r\n");
  client.send(R"({"name":"x"})");
  EXPECT_EQ(client.receive().status, 201);
}

TEST_F(HttpServer, EndsRequestsInHandBeforeItStops) {
  HttpAnswer answer;
  std::thread client([&] { answer = call({.path = "/v1/slow"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  HttpClient idle(server.address().port);
  server.stop();
  client.join();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(status({.path = "/healthz"}), 0) << "nobody listens any more";
}

TEST_F(HttpServer, CountsWhatItAnswers) {
  EXPECT_EQ(status({.path = "/healthz"}), 200);
  EXPECT_EQ(status({.path = "/nothing"}), 404);
  const std::string text = metrics.text();
  EXPECT_THAT(text,
              HasSubstr("sextant_http_requests_total{route=\"/healthz\",verb=\"GET\",status=\"200\"} 1\n"));
  EXPECT_THAT(text,
              HasSubstr("sextant_http_requests_total{route=\"none\",verb=\"none\",status=\"404\"} 1\n"));
}

class HttpServerWithToken : public HttpServer {
 protected:
  HttpServerWithToken() : HttpServer({.token = kToken}) {}
};

TEST_F(HttpServerWithToken, AsksForIt) {
  const HttpAnswer none = call({.path = "/v1/things/1"});
  EXPECT_EQ(none.status, 401);
  EXPECT_EQ(none.headers.at("www-authenticate"), "Bearer");
  EXPECT_EQ(status({.path = "/v1/things/1", .token = kToken + "x"}), 401);
  EXPECT_EQ(status({.path = "/v1/things/1", .token = kToken.substr(1)}), 401);
  EXPECT_EQ(status({.path = "/nothing"}), 401) << "nor does it say what there is";
  EXPECT_EQ(status({.path = "/v1/things/1", .token = kToken}), 200);
  EXPECT_EQ(status({.path = "/healthz"}), 200);
}

class ShortHttpServer : public HttpServer {
 protected:
  static constexpr Seconds kShort{0.4};
  ShortHttpServer()
      : HttpServer({.limits = {.connections = 4, .request = kShort, .idle = kShort, .response = kShort}}) {}
};

TEST_F(ShortHttpServer, CutsOffSlowClients) {
  HttpClient client(server.address().port);
  const std::string request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(100, 'x');
  for (int i = 0; i < 20 && client.send(request.substr(static_cast<std::size_t>(i), 1)); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a byte now and then does not help
  }
  EXPECT_EQ(client.receive().status, 408);
  HttpClient body(server.address().port);
  body.send(
      "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
      "9\r\n\r\n{");
  EXPECT_EQ(body.receive().status, 408);
  HttpClient silent(server.address().port);
  EXPECT_EQ(silent.receive().status, 0) << "who never spoke is not answered";
}

TEST_F(ShortHttpServer, TellsThatThereAreTooManyConnections) {
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server.address().port));
    ASSERT_EQ(clients.back()->call({.path = "/healthz"}).status, 200);
  }
  HttpClient one_more(server.address().port);
  EXPECT_EQ(one_more.receive().status, 503);
}

TEST(HttpAddress, IsLoopbackUnlessSaidOtherwise) {
  EXPECT_EQ(parse_address(":8350", {}).str(), "127.0.0.1:8350");
  EXPECT_EQ(parse_address("localhost:1", {}).host, "127.0.0.1");
  EXPECT_EQ(parse_address("[::1]:8350", {}).str(), "[::1]:8350");
  EXPECT_TRUE(parse_address("[::1]:8350", {}).loopback());
  EXPECT_FALSE(parse_address("0.0.0.0:8350", {}).loopback());
  for (const char* text :
       {"8350", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "host.example:1", "1.2.3:4"}) {
    EXPECT_NE(test::error_of([&] { parse_address(text, at_field("listen")); }), "no error") << text;
  }
}

TEST(HttpAddress, ElsewhereATokenIsNeeded) {
  Metrics metrics;
  EXPECT_THAT(test::error_of([&] { Server(routes(), {.listen = {.host = "0.0.0.0"}}, metrics); }),
              HasSubstr("a token is needed to listen at 0.0.0.0:0"));
}

TEST(HttpAddress, ThatIsTakenIsNamed) {
  Metrics metrics;
  Metrics others;
  const Server first(routes(), {}, metrics);
  try {
    const Server second(routes(), {.listen = first.address()}, others);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("cannot listen at " + first.address().str() + ": Address already in use"));
  }
}

}  // namespace
}  // namespace sextant::http
