// Submissions at a steady rate: `daemon_load PROGRAM FOLDER [PER_SECOND] [SECONDS] [METHOD] [CLIENTS]`.
// Each client sends at its own times, whether or not the last answer was quick; what comes late waits, and
// its wait counts. Prints how many were acknowledged and the times from the moment a submission was due to
// its answer.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <vector>

#include "daemon_process.h"
#include "http_client.h"

namespace {

using namespace sextant::test;
using Clock = std::chrono::steady_clock;

struct Load {
  int per_second = 500;
  int seconds = 60;
  std::string method = "edf";
  int clients = 8;
};

struct Seen {
  std::vector<double> times_ms;
  int refused = 0;
};

Seen send(std::uint16_t port, const Load& load, int client_number) {
  Seen seen;
  HttpClient client(port);
  const auto begin = Clock::now();
  const int count = load.per_second * load.seconds / load.clients;
  for (int i = 0; i < count; ++i) {
    const auto due = begin + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(double(i) * load.clients / load.per_second));
    std::this_thread::sleep_until(due);
    const std::string id = std::to_string(client_number) + "-" + std::to_string(i);
    const HttpAnswer answer = client.call(
        {.verb = "POST",
         .path = "/v1/jobs",
         .body =
             R"({"id": ")" + id +
             R"(", "due_in_s": 86400, "usd_per_late_hour": 1, "times": [{"machine": "box", "gpus": 4, "seconds": 60}]})"});
    if (answer.status != 201) ++seen.refused;
    seen.times_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - due).count());
  }
  return seen;
}

int run(const std::string& program, const std::string& folder, const Load& load) {
  DaemonProcess daemon(program, folder, {.method = load.method});
  if (!daemon.start()) {
    std::cerr << "the daemon does not come up: " << daemon.log();
    return 1;
  }
  std::vector<Seen> seen(static_cast<std::size_t>(load.clients));
  std::vector<std::thread> threads;
  const auto begin = Clock::now();
  for (int i = 0; i < load.clients; ++i) {
    threads.emplace_back([&, i] { seen[static_cast<std::size_t>(i)] = send(daemon.port(), load, i); });
  }
  for (std::thread& thread : threads) thread.join();
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<double> times;
  int refused = 0;
  for (const Seen& each : seen) {
    times.insert(times.end(), each.times_ms.begin(), each.times_ms.end());
    refused += each.refused;
  }
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * double(times.size() - 1))];
  };
  std::cout << times.size() << " submissions in " << took << " s (" << double(times.size()) / took
            << " a second), " << refused << " refused; ms to the answer: median " << at(0.5) << ", p95 "
            << at(0.95) << ", p99 " << at(0.99) << ", most " << at(1) << "\n";
  return refused == 0 && daemon.stop() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: daemon_load PROGRAM FOLDER [PER_SECOND] [SECONDS] [METHOD] [CLIENTS]\n";
    return 2;
  }
  Load load;
  if (argc > 3) load.per_second = std::atoi(argv[3]);
  if (argc > 4) load.seconds = std::atoi(argv[4]);
  if (argc > 5) load.method = argv[5];
  if (argc > 6) load.clients = std::atoi(argv[6]);
  return run(argv[1], argv[2], load);
}
