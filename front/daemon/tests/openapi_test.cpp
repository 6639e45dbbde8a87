// The OpenAPI file against what the daemon really answers: every route is asked, every answer follows its
// schema, and every field that is declared is seen in some answer. The checker knows the file alone, not the
// code that made it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "running_daemon.h"
#include "sextant/core/csv.h"

namespace sextant::daemon {
namespace {

using test::HttpAnswer;
using test::RunningDaemon;

class Document {
 public:
  explicit Document(Json document) : document_(std::move(document)) {}

  // `path` as declared, with its names in braces.
  void check(const std::string& verb, const std::string& path, const HttpAnswer& answer) {
    const Json& operation = document_.at("paths").at(path).at(verb);
    const std::string status = std::to_string(answer.status);
    const Json& responses = operation.at("responses");
    const bool declared = responses.contains(status);
    const Json& response = declared ? responses.at(status) : document_["components"]["responses"]["Refusal"];
    if (declared) asked.insert(verb + " " + path);
    const auto content = response.at("content").begin();
    EXPECT_EQ(answer.headers.at("content-type"), content.key()) << path;
    if (content.key() != "application/json" || path == "/openapi.json") return;
    follow(content.value().at("schema"), Json::parse(answer.body), declared ? verb + " " + path : "refusal");
  }

  [[nodiscard]] std::set<std::string> all_routes() const {
    std::set<std::string> all;
    for (const auto& [path, verbs] : document_.at("paths").items()) {
      for (const auto& [verb, operation] : verbs.items()) all.insert(verb + " " + path);
    }
    return all;
  }

  std::set<std::string> asked;
  std::set<std::string> declared_fields;
  std::set<std::string> seen_fields;

 private:
  void follow(const Json& schema, const Json& value, const std::string& place) {
    const auto type = schema.at("type").get<std::string>();
    if (schema.contains("enum")) {
      EXPECT_THAT(schema["enum"], testing::Contains(value)) << place;
    }
    if (type == "object") {
      ASSERT_TRUE(value.is_object()) << place;
      for (const auto& [name, member] : schema.at("properties").items())
        declared_fields.insert(place + "." + name);
      for (const auto& required : schema.value("required", Json::array())) {
        EXPECT_TRUE(value.contains(required.get<std::string>())) << place << "." << required;
      }
      for (const auto& [name, member] : value.items()) {
        ASSERT_TRUE(schema["properties"].contains(name)) << place << "." << name << " is not declared";
        seen_fields.insert(place + "." + name);
        follow(schema["properties"][name], member, place + "." + name);
      }
    } else if (type == "array") {
      ASSERT_TRUE(value.is_array()) << place;
      for (const Json& item : value) follow(schema.at("items"), item, place + "[]");
    } else {
      const bool right = type == "string"    ? value.is_string()
                         : type == "integer" ? value.is_number_integer()
                         : type == "number"  ? value.is_number()
                                             : value.is_boolean();
      EXPECT_TRUE(right) << place << " is no " << type << ": " << value;
      EXPECT_TRUE(!value.is_number() || !schema.contains("minimum") || value >= schema["minimum"]) << place;
      EXPECT_TRUE(!value.is_number() || !schema.contains("maximum") || value <= schema["maximum"]) << place;
    }
  }

  Json document_;
};

// Starts are slow, so that a plan with open steps is seen.
std::string slow_command(const TemporaryFolder& folder) {
  const std::string path = (folder.path() / "apply.sh").string();
  std::ofstream(path)
      << "#!/bin/sh\nread -r line\ncase $line in *'\"start\"'*) sleep 0.2;; esac\necho ref-1\n";
  ::chmod(path.c_str(), 0755);
  return path;
}

constexpr const char* kFullJob =
    R"({"id": "full", "due_in_s": 7200, "usd_per_late_hour": 10, "priority": 2, "restart_s": 5,
  "nodes": ["n0"], "command": ["x"], "environment": [{"name": "A", "value": "b"}], "folder": "/tmp",
  "times": [{"machine": "small", "gpus": 2, "seconds": 1600, "spread": 0.1}]})";

constexpr const char* kNodesWithOwn = R"({"machines": [{"name": "small", "gpus": 2, "usd_per_hour": 2}],
  "nodes": [{"name": "n0"}, {"name": "n1", "only": "small"}]})";

void ask_jobs(const RunningDaemon& daemon, Document& document) {
  document.check("post", "/v1/jobs", daemon.call("POST", "/v1/jobs", kFullJob));
  document.check("post", "/v1/jobs", daemon.call("POST", "/v1/jobs", R"({"id": 1})"));
  document.check("post", "/v1/jobs", daemon.call("POST", "/v1/jobs", R"({"id": "x", "tims": []})"));
  for (const char* id : {"b", "c", "d", "e", "f"}) {
    document.check("post", "/v1/jobs", daemon.call("POST", "/v1/jobs", test::job_body(id)));
  }
  daemon.wait_until([&] {  // while steps are open
    const HttpAnswer plan = daemon.call("GET", "/v1/plan");
    document.check("get", "/v1/plan", plan);
    return daemon.state_of("full") == "running" && daemon.get("/v1/plan")["assignments"].size() > 1;
  });
  document.check("get", "/v1/jobs/{id}", daemon.call("GET", "/v1/jobs/full"));
  document.check("get", "/v1/jobs/{id}", daemon.call("GET", "/v1/jobs/none"));
  document.check("get", "/v1/jobs", daemon.call("GET", "/v1/jobs?limit=5&state=running"));
  for (const char* id : {"full", "b", "c", "d", "e", "f"}) {
    const std::string path = std::string("/v1/jobs/") + id + "/explain";
    document.check("get", "/v1/jobs/{id}/explain", daemon.call("GET", path));
  }
  document.check("post", "/v1/jobs/{id}/progress",
                 daemon.call("POST", "/v1/jobs/full/progress", R"({"key": "1", "done": 0.5})"));
}

void end_jobs(const RunningDaemon& daemon, Document& document) {
  HttpAnswer cancelled;
  daemon.wait_until([&] {  // not while it is being started
    cancelled = daemon.call("POST", "/v1/jobs/full/cancel", R"({"reason": "enough"})");
    return cancelled.status == 200;
  });
  document.check("post", "/v1/jobs/{id}/cancel", cancelled);
  ASSERT_TRUE(daemon.wait_for("full", "cancelled"));
  const HttpAnswer again = daemon.call("POST", "/v1/jobs/full/cancel", "{}");
  document.check("post", "/v1/jobs/{id}/cancel", again);
  HttpAnswer finished;
  daemon.wait_until([&] {
    finished = daemon.call("POST", "/v1/jobs/b/finish", R"({"outcome": "failed", "reason": "why"})");
    return finished.status == 200;
  });
  document.check("post", "/v1/jobs/{id}/finish", finished);
  document.check("get", "/v1/jobs/{id}", daemon.call("GET", "/v1/jobs/full"));
  document.check("get", "/v1/jobs", daemon.call("GET", "/v1/jobs"));
}

TEST(DaemonOpenApi, IsWhatTheDaemonAnswers) {
  const TemporaryFolder folder;
  const RunningDaemon daemon(slow_command(folder));
  Document document(daemon.get("/openapi.json"));
  document.check("put", "/v1/nodes", daemon.call("PUT", "/v1/nodes", kNodesWithOwn));
  ask_jobs(daemon, document);
  document.check("get", "/v1/nodes", daemon.call("GET", "/v1/nodes"));
  end_jobs(daemon, document);
  document.check("get", "/v1/history", daemon.call("GET", "/v1/history?limit=1000"));
  document.check("get", "/metrics", daemon.call("GET", "/metrics"));
  document.check("get", "/healthz", daemon.call("GET", "/healthz"));
  document.check("get", "/openapi.json", daemon.call("GET", "/openapi.json"));
  EXPECT_EQ(document.asked, document.all_routes());
  // The same object stands in several answers: a field counts as seen if one of them had it.
  std::set<std::string> names;
  for (const std::string& field : document.seen_fields) names.insert(field.substr(field.rfind('.')));
  for (const std::string& field : document.declared_fields) {
    EXPECT_TRUE(names.contains(field.substr(field.rfind('.')))) << field << " is declared and never answered";
  }
}

TEST(DaemonOpenApi, IsTheFileInTheDocuments) {
  Json kept = read_json_file(SEXTANT_SOURCE_DIR "/docs/reference/daemon-openapi.json");
  Json made = openapi_document();
  kept["info"].erase("version");
  made["info"].erase("version");
  EXPECT_EQ(kept, made) << "'make docs' writes it again";
}

}  // namespace
}  // namespace sextant::daemon
