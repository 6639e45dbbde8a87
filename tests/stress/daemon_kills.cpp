// Submits jobs to a daemon that is killed again and again: `daemon_kills PROGRAM FOLDER [JOBS] [KILLS]
// [METHOD] [SEED]`. What was acknowledged must be there once, and no step may be carried out twice. Jobs also
// end, so that there is always something to decide.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "daemon_process.h"
#include "http_client.h"
#include "sextant/core/rng.h"

namespace {

using namespace sextant;
using test::DaemonProcess;
using test::HttpAnswer;
using test::HttpClient;
using Json = nlohmann::ordered_json;

constexpr double kSubmissionSeconds =
    0.012;  // about twice what one takes here, so that half of the kills come before the last

struct Totals {
  int submitted = 0;  // that were acknowledged
  int repeated = 0;   // sent again, since an answer was lost
  int finished = 0;
  int kills = 0;
};

std::string body_of(int number) {
  return R"({"id": "job-)" + std::to_string(number) +
         R"(", "due_unix_s": 9e9, "usd_per_late_hour": 1, "times": [{"machine": "box", "gpus": 4, "seconds": 60}]})";
}

// Ends jobs that run, so that others start: as many as are seen on the first page.
int finish_some(HttpClient& client) {
  const HttpAnswer plan = client.call({.path = "/v1/plan"});
  if (plan.status != 200) return 0;
  const Json json = Json::parse(plan.body);
  int ended = 0;
  for (const Json& running : json["assignments"]) {
    const std::string path = "/v1/jobs/" + running["job"].get<std::string>() + "/finish";
    ended += client.call({.verb = "POST", .path = path, .body = "{}"}).status == 200 ? 1 : 0;
  }
  return ended;
}

// From one kill to the next: submissions one after another, until the daemon is gone or enough are in.
void submit_until(const DaemonProcess& daemon, int last, int& next, Totals& totals) {
  HttpClient client(daemon.port(), 10);
  while (next < last && client.connected()) {
    const HttpAnswer answer = client.call({.verb = "POST", .path = "/v1/jobs", .body = body_of(next)});
    if (answer.status != 201) {
      ++totals.repeated;  // not acknowledged: it is sent again to the next daemon
      return;
    }
    ++totals.submitted;
    ++next;
    if (next % 25 == 0) totals.finished += finish_some(client);
  }
}

std::set<std::string> known_jobs(const DaemonProcess& daemon, int& twice) {
  std::set<std::string> known;
  HttpClient client(daemon.port());
  for (std::int64_t after = 0;;) {
    const HttpAnswer page = client.call({.path = "/v1/jobs?limit=1000&after=" + std::to_string(after)});
    const Json json = Json::parse(page.body);
    for (const Json& job : json["jobs"]) twice += known.insert(job["id"].get<std::string>()).second ? 0 : 1;
    after = json["next_after"].get<std::int64_t>();
    if (after == 0) return known;
  }
}

// Starts and stops of a job take turns, and each step was intended once and done at most once.
int faults_in_history(const DaemonProcess& daemon) {
  std::map<std::string, int> intended;
  std::map<std::string, int> confirmed;
  HttpClient client(daemon.port());
  for (std::int64_t after = 0;;) {
    const HttpAnswer page = client.call({.path = "/v1/history?limit=1000&after=" + std::to_string(after)});
    const Json json = Json::parse(page.body);
    for (const Json& event : json["events"]) {
      const std::string kind = event["kind"].get<std::string>();
      if (kind == "intended") ++intended[event["step"].get<std::string>()];
      if (kind == "done" || kind == "found") ++confirmed[event["step"].get<std::string>()];
    }
    after = json["next_after"].get<std::int64_t>();
    if (after == 0) break;
  }
  int faults = 0;
  for (const auto& [key, count] : intended) faults += count != 1 ? 1 : 0;
  for (const auto& [key, count] : confirmed) faults += count != 1 || !intended.contains(key) ? 1 : 0;
  for (const auto& [key, count] : daemon.carried_out()) {
    if (count != 1) std::cerr << key << " was carried out " << count << " times\n";
    if (!intended.contains(key)) std::cerr << key << " was carried out and never intended\n";
    faults += count != 1 || !intended.contains(key) ? 1 : 0;
  }
  return faults;
}

int judge(DaemonProcess& daemon, int jobs, const Totals& totals) {
  int twice = 0;
  const std::set<std::string> known = known_jobs(daemon, twice);
  int lost = 0;
  for (int i = 0; i < jobs; ++i) lost += known.contains("job-" + std::to_string(i)) ? 0 : 1;
  const int faults = faults_in_history(daemon);
  const bool ended = daemon.stop();
  std::cout << totals.submitted << " submissions acknowledged, " << totals.kills << " kills, "
            << totals.repeated << " sent again; " << lost << " lost, " << twice << " twice; "
            << totals.finished << " jobs ended; " << daemon.carried_out().size() << " steps carried out, "
            << faults << " faults; " << (ended ? "ended well" : "did not end well") << "\n";
  return lost == 0 && twice == 0 && faults == 0 && ended && known.size() == static_cast<std::size_t>(jobs)
             ? 0
             : 1;
}

struct Ordeal {
  int jobs = 10000;
  int kills = 100;
  std::string method = "edf";
  std::uint64_t seed = 1;
};

int run(const std::string& program, const std::string& folder, const Ordeal& ordeal) {
  DaemonProcess daemon(program, folder, {.method = ordeal.method});
  Rng rng = Rng(ordeal.seed).stream("kills");
  const int jobs = ordeal.jobs;
  const int kills = ordeal.kills;
  Totals totals;
  int next = 0;
  for (int kill = 0; kill <= kills; ++kill) {
    if (!daemon.start()) {
      std::cerr << "the daemon does not come up: " << daemon.log();
      return 1;
    }
    if (kill == kills) break;
    const int last = jobs * (kill + 1) / (kills + 1);
    std::atomic<bool> over = false;
    // The kill comes at any moment: while submissions are on their way, and while steps are carried out.
    const double wait_s = 0.01 + kSubmissionSeconds * rng.uniform() * jobs / kills;
    std::thread killer([&] {
      for (double waited = 0; waited < wait_s && !over; waited += 0.005) ::usleep(5000);
      daemon.kill_hard();
    });
    submit_until(daemon, std::max(last, next + 1), next, totals);
    if (rng.uniform() < 0.5) over = true;  // else the kill meets the carrying out
    killer.join();
    ++totals.kills;
  }
  for (int attempt = 0; attempt < 10 && next < jobs; ++attempt) submit_until(daemon, jobs, next, totals);
  HttpClient client(daemon.port());
  for (int i = 0; i < 20; ++i) {
    totals.finished += finish_some(client);
    ::usleep(50000);
  }
  return judge(daemon, jobs, totals);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: daemon_kills PROGRAM FOLDER [JOBS] [KILLS] [METHOD] [SEED]\n";
    return 2;
  }
  Ordeal ordeal;
  if (argc > 3) ordeal.jobs = std::atoi(argv[3]);
  if (argc > 4) ordeal.kills = std::atoi(argv[4]);
  if (argc > 5) ordeal.method = argv[5];
  if (argc > 6) ordeal.seed = std::strtoull(argv[6], nullptr, 10);
  return run(argv[1], argv[2], ordeal);
}
