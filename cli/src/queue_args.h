// What sextant queue takes, and how its texts become rates, times and lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"
#include "sextant/queueing/sizing.h"

namespace sextant {

struct QueueArgs {
  std::string model;  // empty: --records or --classes decides
  // Open queues; lists are swept.
  std::vector<std::string> arrival_rates, service_rates, service_times, arrival_scvs, service_scvs;
  std::vector<std::int64_t> servers;
  std::vector<std::int64_t> capacities;
  std::optional<std::string> classes;
  // How many servers?
  std::optional<std::string> target_wait, target_p95, target_response, target_p95_response;
  std::int64_t max_servers = 10'000;
  // Closed networks.
  std::vector<std::string> demands, delays;
  std::vector<std::int64_t> servers_at;
  std::optional<std::string> think;
  std::vector<std::int64_t> populations;
  bool seidmann = false;
  // Operational laws.
  std::optional<double> completions, visits;
  std::optional<std::string> period, busy, residence;
  // Recorded jobs.
  std::optional<std::string> records;
  std::string arrival_column = "arrival_s";
  std::string interarrival_column = "interarrival_s";
  std::string service_column = "service_s";
  double level = 0.01;
};

std::vector<Option> queue_options(QueueArgs& args);

// InputError for an option that the model does not read, and for no model at all.
void check_queue_options(const QueueArgs& args);

// "600" (seconds) or "10 min"; "0.2" (per second) or "12/h". InputError at the option.
Seconds duration_of(const std::string& text, const std::string& option);
std::optional<Seconds> duration_of(const std::optional<std::string>& text, const std::string& option);
Hertz rate_of(const std::string& text, const std::string& option);
double number_of(const std::string& text, const std::string& option);

WaitTargets targets_of(const QueueArgs& args);

}  // namespace sextant
