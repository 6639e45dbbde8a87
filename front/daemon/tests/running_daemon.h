// A daemon in this process with a state of its own, and a client for it.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "http_client.h"
#include "sextant/daemon/daemon.h"
#include "temporary_folder.h"

namespace sextant::daemon::test {

using sextant::test::HttpAnswer;
using sextant::test::HttpCall;

// Two nodes of four GPUs that can be small or large machines.
inline const char* const kNodes = R"({
  "machines": [{"name": "small", "gpu": "v100", "gpus": 2, "usd_per_hour": 2, "minimum_billing_s": 60},
               {"name": "large", "gpu": "v100", "gpus": 4, "usd_per_hour": 3.5}],
  "nodes": [{"name": "n0"}, {"name": "n1"}]})";

inline std::string job_body(const std::string& id, const std::string& more = "") {
  return R"({"id": ")" + id + R"(", "due_in_s": 7200, "usd_per_late_hour": 10, )" + more +
         R"("times": [{"machine": "small", "gpus": 1, "seconds": 3000}, {"machine": "small", "gpus": 2, "seconds": 1600}]})";
}

class RunningDaemon {
 public:
  explicit RunningDaemon(std::string apply = "") {
    options.state = (folder.path() / "state.db").string();
    options.listen = "127.0.0.1:0";
    options.apply = std::move(apply);
    options.method = "edf";  // whose decisions are plain to see
    begin();
  }
  void begin() {
    static const auto catalog = std::make_shared<const catalog::Catalog>(catalog::builtin_catalog());
    daemon.emplace(options, catalog, [this](const std::string& line) {
      const std::lock_guard lock(mutex);
      said += line + "\n";
    });
  }
  void end() { daemon.reset(); }

  [[nodiscard]] HttpAnswer call(const std::string& verb, const std::string& path,
                                const std::string& body = "") const {
    return sextant::test::http_call(daemon->address().port, {.verb = verb, .path = path, .body = body});
  }
  [[nodiscard]] Json get(const std::string& path) const { return Json::parse(call("GET", path).body); }
  [[nodiscard]] std::string state_of(const std::string& job) const {
    return get("/v1/jobs/" + job).value("state", "none");
  }
  // At most a minute.
  template <class Condition>
  bool wait_until(const Condition& condition) const {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  bool wait_for(const std::string& job, const std::string& state) const {
    return wait_until([&] { return state_of(job) == state; });
  }

  TemporaryFolder folder;
  DaemonOptions options;
  std::mutex mutex;
  std::string said;
  std::optional<Daemon> daemon;
};

}  // namespace sextant::daemon::test
