// What is declared, checked and shown: schemas, the OpenAPI file, metrics, tokens in files.
#include "desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/http/metrics.h"
#include "sextant/http/server.h"
#include "temporary_folder.h"

namespace sextant::http {
namespace {

using testing::HasSubstr;

const Schema kOrder = object_of(
    "an order", {{"name", text_value("who", {1, 5})},
                 optional_member("rows", list_of(object_of("", {{"gpus", integer_value("", {1, 8})},
                                                                {"kind", word_value("", {"fast", "slow"})}}),
                                                 "", {1, 2}))});

std::string fault(const std::string& json) {
  const auto found = fault_of(kOrder, Json::parse(json));
  return found ? found->place + ": " + found->what : "";
}

TEST(HttpSchema, FindsTheFirstFaultAndItsPlace) {
  EXPECT_EQ(fault(R"({"name": "x", "rows": [{"gpus": 8, "kind": "slow"}]})"), "");
  EXPECT_EQ(fault(R"([])"), ": it is not an object");
  EXPECT_EQ(fault(R"({})"), "name: it is missing");
  EXPECT_EQ(fault(R"({"name": "sextant"})"), "name: the length of the text is 7, above 5");
  EXPECT_EQ(fault(R"({"name": "x", "rows": []})"), "rows: the length of the list is 0, below 1");
  EXPECT_EQ(fault(R"({"name": "x", "rows": [{"gpus": 8, "kind": "slow"}, {"gpus": 9, "kind": "slow"}]})"),
            "rows[1].gpus: the number is 9, above 8");
  EXPECT_EQ(fault(R"({"name": "x", "rows": [{"gpus": 1.5, "kind": "slow"}]})"),
            "rows[0].gpus: it is not a whole number");
  EXPECT_EQ(fault(R"({"name": "x", "rows": [{"gpus": 1, "kind": "slaw"}]})"),
            "rows[0].kind: 'slaw' is not known");
  EXPECT_EQ(fault(R"({"name": "x", "row": 1})"), "row: there is no such member");
  EXPECT_EQ(fault(R"({"name": null})"), "name: it is not a text");
}

TEST(HttpOpenApi, ShowsWhatIsDeclared) {
  const Json json = openapi({"title", "summary", "1"},
                            {{.verb = Verb::post,
                              .path = "/v1/orders/{id}",
                              .summary = "order",
                              .query = {{"limit", integer_value("", {1, 9})}},
                              .body = kOrder,
                              .answers = {{201, "kept", kOrder}},
                              .handle = {}},
                             {.path = "/healthz", .summary = "alive", .open = true, .handle = {}}});
  const Json& post = json["paths"]["/v1/orders/{id}"]["post"];
  EXPECT_EQ(post["parameters"][0]["name"], "id");
  EXPECT_EQ(post["parameters"][0]["required"], true);
  EXPECT_EQ(post["parameters"][1]["in"], "query");
  const Json& schema = post["requestBody"]["content"]["application/json"]["schema"];
  EXPECT_EQ(schema["required"], Json::array({"name"}));
  EXPECT_EQ(schema["properties"]["name"]["maxLength"], 5);
  EXPECT_EQ(schema["properties"]["rows"]["items"]["properties"]["kind"]["enum"],
            Json::array({"fast", "slow"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_TRUE(post["responses"].contains("default"));
  EXPECT_EQ(json["paths"]["/healthz"]["get"]["security"], Json::array());
}

TEST(HttpMetrics, AreInPrometheusTextForm) {
  Metrics metrics;
  metrics.declare({"jobs_total", "Jobs\nso far.", MetricInfo::Kind::counter});
  metrics.declare({"wait_seconds", "Waits.", MetricInfo::Kind::histogram, {0.1, 1}});
  metrics.declare({"unused", "Never set.", MetricInfo::Kind::gauge});
  metrics.add("jobs_total", {{"name", "a \"b\" \\"}}, 2);
  for (const double seconds : {0.05, 0.1, 0.5, 7.0}) metrics.observe("wait_seconds", seconds);
  EXPECT_EQ(metrics.text(),
            "# HELP jobs_total Jobs\\nso far.\n"
            "# TYPE jobs_total counter\n"
            "jobs_total{name=\"a \\\"b\\\" \\\\\"} 2\n"
            "# HELP wait_seconds Waits.\n"
            "# TYPE wait_seconds histogram\n"
            "wait_seconds_bucket{le=\"0.1\"} 2\n"
            "wait_seconds_bucket{le=\"1\"} 3\n"
            "wait_seconds_bucket{le=\"+Inf\"} 4\n"
            "wait_seconds_sum 7.65\n"
            "wait_seconds_count 4\n");
  EXPECT_THROW(metrics.add("jobs"), std::logic_error);
  EXPECT_THROW(metrics.declare({"unused", "", MetricInfo::Kind::gauge}), std::logic_error);
}

TEST(HttpToken, IsALineOfAFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "token").string();
  std::ofstream(path) << "0123456789abcdef\n";
  EXPECT_EQ(read_token(path), "0123456789abcdef");
  std::ofstream(path) << "short\n";
  EXPECT_THAT(test::error_of([&] { read_token(path); }), HasSubstr("fewer than 16 characters"));
  std::ofstream(path) << "0123456789 abcdef0123\n";
  EXPECT_THAT(test::error_of([&] { read_token(path); }), HasSubstr("visible ASCII"));
}

TEST(HttpDesk, SaysThatAHandlerFailed) {
  const Desk desk({{.path = "/x",
                    .summary = "",
                    .handle = [](const Request&) -> Response { throw std::runtime_error("bug"); }}},
                  {});
  EXPECT_EQ(Desk::answer(desk.accept({.verb = "GET", .target = "/x"}), "").status, 500);
  EXPECT_EQ(Desk::answer(desk.accept({.verb = "GET", .target = "/x"}), "body").status, 400);
}

}  // namespace
}  // namespace sextant::http
