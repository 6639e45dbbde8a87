#include "queue_args.h"

#include <algorithm>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

constexpr const char* kRecords = "records";

// An option, whether it was given, and the models that read it.
struct Use {
  const char* option;
  bool given;
  std::vector<std::string> models;
};

std::vector<Use> uses(const QueueArgs& a) {
  const std::vector<std::string> open = {"mm1", "mmc", "mmck", "mg1", "ggc"};
  const std::vector<std::string> sized = {"mm1", "mmc", "mg1", "ggc", kRecords};
  const std::vector<std::string> closed = {"mva", "laws"};
  const std::vector<std::string> open_or_laws = {"mm1", "mmc", "mmck", "mg1", "ggc", "laws"};
  return {{"--arrival-rate", !a.arrival_rates.empty(), open},
          {"--service-rate", !a.service_rates.empty(), open},
          {"--service-time", !a.service_times.empty(), open_or_laws},
          {"--arrival-scv", !a.arrival_scvs.empty(), {"ggc"}},
          {"--service-scv", !a.service_scvs.empty(), {"mg1", "ggc"}},
          {"--servers", !a.servers.empty(), {"mm1", "mmc", "mmck", "mg1", "ggc", kRecords}},
          {"--capacity", !a.capacities.empty(), {"mmck"}},
          {"--classes", a.classes.has_value(), {"classes", "mg1"}},
          {"--target-wait", a.target_wait.has_value(), sized},
          {"--target-p95", a.target_p95.has_value(), sized},
          {"--target-response", a.target_response.has_value(), sized},
          {"--target-p95-response", a.target_p95_response.has_value(), sized},
          {"--demands", !a.demands.empty(), closed},
          {"--delays", !a.delays.empty(), closed},
          {"--servers-at", !a.servers_at.empty(), closed},
          {"--think", a.think.has_value(), closed},
          {"--population", !a.populations.empty(), closed},
          {"--seidmann", a.seidmann, {"mva"}},
          {"--completions", a.completions.has_value(), {"laws"}},
          {"--visits", a.visits.has_value(), {"laws"}},
          {"--period", a.period.has_value(), {"laws"}},
          {"--busy", a.busy.has_value(), {"laws"}},
          {"--residence", a.residence.has_value(), {"laws"}}};
}

std::vector<Option> open_options(QueueArgs& a) {
  return {
      {.name = "arrival-rate",
       .summary = "jobs per second, or as in 12/h",
       .target = &a.arrival_rates,
       .value_name = "LIST"},
      {.name = "service-rate",
       .summary = "jobs that one server completes per second, or as in 4/h",
       .target = &a.service_rates,
       .value_name = "LIST"},
      {.name = "service-time",
       .summary = "instead of the rate: mean seconds, or as in '15 min'",
       .target = &a.service_times,
       .value_name = "LIST"},
      {.name = "arrival-scv",
       .summary = "squared coefficient of variation between arrivals; 1 unless given",
       .target = &a.arrival_scvs,
       .value_name = "LIST"},
      {.name = "service-scv",
       .summary = "squared coefficient of variation of services; 1 unless given",
       .target = &a.service_scvs,
       .value_name = "LIST"},
      {.name = "servers",
       .summary = "how many servers; 1 unless given",
       .target = &a.servers,
       .value_name = "LIST",
       .low = 1,
       .high = 1e7},
      {.name = "capacity",
       .summary = "mmck: most jobs in the system, waiting and in service",
       .target = &a.capacities,
       .value_name = "LIST",
       .low = 1,
       .high = 1e7},
      {.name = "classes",
       .summary = "CSV of priority classes, most urgent first: class, arrival_per_s, service_s, service_scv",
       .target = &a.classes,
       .value_name = "FILE"}};
}

std::vector<Option> target_options(QueueArgs& a) {
  return {{.name = "target-wait",
           .summary = "least number of servers for this mean wait",
           .target = &a.target_wait,
           .value_name = "TIME"},
          {.name = "target-p95",
           .summary = "least number of servers with which 95 % of the jobs wait no longer",
           .target = &a.target_p95,
           .value_name = "TIME"},
          {.name = "target-response",
           .summary = "least number of servers for this mean time from arrival to end",
           .target = &a.target_response,
           .value_name = "TIME"},
          {.name = "target-p95-response",
           .summary = "the same for 95 % of the jobs; M/M/c only",
           .target = &a.target_p95_response,
           .value_name = "TIME"},
          {.name = "max-servers",
           .summary = "largest number that is tried",
           .target = &a.max_servers,
           .value_name = "N",
           .low = 1,
           .high = 1e6}};
}

std::vector<Option> closed_options(QueueArgs& a) {
  return {{.name = "demands",
           .summary = "mva, laws: seconds that a user needs at each queue, visits times service",
           .target = &a.demands,
           .value_name = "LIST"},
          {.name = "delays",
           .summary = "mva, laws: seconds at stations where nobody queues",
           .target = &a.delays,
           .value_name = "LIST"},
          {.name = "servers-at",
           .summary = "mva, laws: servers of each queue; 1 unless given",
           .target = &a.servers_at,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "think", .summary = "mva, laws: think time", .target = &a.think, .value_name = "TIME"},
          {.name = "population",
           .summary = "mva, laws: number of users",
           .target = &a.populations,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "seidmann",
           .summary = "mva: queues of several servers by Seidmann's approximation",
           .target = &a.seidmann}};
}

std::vector<Option> laws_options(QueueArgs& a) {
  return {{.name = "completions",
           .summary = "laws: jobs that left in the period",
           .target = &a.completions,
           .value_name = "N",
           .low = 0},
          {.name = "period",
           .summary = "laws: length of the observation",
           .target = &a.period,
           .value_name = "TIME"},
          {.name = "busy",
           .summary = "laws: time that the device was busy",
           .target = &a.busy,
           .value_name = "TIME"},
          {.name = "visits",
           .summary = "laws: visits of one job to the device",
           .target = &a.visits,
           .value_name = "N",
           .low = 0},
          {.name = "residence",
           .summary = "laws: mean time of a job in the system",
           .target = &a.residence,
           .value_name = "TIME"}};
}

std::vector<Option> records_options(QueueArgs& a) {
  return {{.name = "records",
           .summary = "CSV of recorded jobs: which model may be used, and its answer",
           .target = &a.records,
           .value_name = "FILE"},
          {.name = "arrival-column",
           .summary = "column of the instants of arrival, in seconds",
           .target = &a.arrival_column,
           .value_name = "NAME"},
          {.name = "interarrival-column",
           .summary = "column of the seconds since the arrival before, where there are no instants",
           .target = &a.interarrival_column,
           .value_name = "NAME"},
          {.name = "service-column",
           .summary = "column of the seconds of service",
           .target = &a.service_column,
           .value_name = "NAME"},
          {.name = "level",
           .summary = "a test rejects at p up to this",
           .target = &a.level,
           .value_name = "P",
           .low = 1e-6,
           .high = 0.5}};
}

}  // namespace

std::vector<Option> queue_options(QueueArgs& args) {
  std::vector<Option> options = {{.name = "model",
                                  .summary = "what to compute; --records and --classes need none",
                                  .target = &args.model,
                                  .value_name = "MODEL",
                                  .choices = {"mm1", "mmc", "mmck", "mg1", "ggc", "mva", "laws"}}};
  for (auto& more : {open_options(args), target_options(args), closed_options(args), laws_options(args),
                     records_options(args)}) {
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

void check_queue_options(const QueueArgs& args) {
  if (args.records && !args.model.empty()) {
    throw InputError({"--model"}, "the model for --records follows from the tests", "leave --model out");
  }
  if (args.model.empty() && !args.records && !args.classes) {
    throw InputError({}, "--model is missing: which queue?",
                     "one of mm1, mmc, mmck, mg1, ggc, mva, laws; or --records FILE.csv");
  }
  const std::string what = args.records ? kRecords : args.classes ? "classes" : args.model;
  for (const auto& use : uses(args)) {
    if (!use.given || std::ranges::find(use.models, what) != use.models.end()) continue;
    throw InputError({use.option}, args.model.empty() ? "has no meaning with --" + what
                                                      : "has no meaning for --model " + args.model);
  }
}

double number_of(const std::string& text, const std::string& option) {
  const auto value = to_number(trim(text));
  if (!value) throw InputError({option}, "'" + text + "' is not a number");
  return *value;
}

Seconds duration_of(const std::string& text, const std::string& option) {
  if (const auto seconds = to_number(trim(text))) return Seconds{*seconds};
  return parse_seconds(text, {option});
}

std::optional<Seconds> duration_of(const std::optional<std::string>& text, const std::string& option) {
  return text ? std::optional(duration_of(*text, option)) : std::nullopt;
}

Hertz rate_of(const std::string& text, const std::string& option) {
  const auto parts = split(text, '/');
  const double count = number_of(parts[0], option);
  if (parts.size() == 1) return Hertz{count};
  if (parts.size() > 2) throw InputError({option}, "'" + text + "' is not a rate", "as in 0.2 or 12/h");
  const Seconds unit = parse_seconds("1 " + std::string(trim(parts[1])), {option});
  return Hertz{count / unit.value};
}

WaitTargets targets_of(const QueueArgs& args) {
  return {.mean_wait = duration_of(args.target_wait, "--target-wait"),
          .p95_wait = duration_of(args.target_p95, "--target-p95"),
          .mean_response = duration_of(args.target_response, "--target-response"),
          .p95_response = duration_of(args.target_p95_response, "--target-p95-response")};
}

}  // namespace sextant
