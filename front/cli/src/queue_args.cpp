#include "queue_args.h"

namespace sextant::cli {
namespace {

std::vector<Option> open_options(ask::QueueQuestion& a) {
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
       .summary = "squared coefficient of variation of the times between arrivals (default 1)",
       .target = &a.arrival_scvs,
       .value_name = "LIST"},
      {.name = "service-scv",
       .summary = "squared coefficient of variation of the service times (default 1)",
       .target = &a.service_scvs,
       .value_name = "LIST"},
      {.name = "servers",
       .summary = "number of servers (default 1)",
       .target = &a.servers,
       .value_name = "LIST",
       .low = 1,
       .high = 1e7},
      {.name = "capacity",
       .summary = "mmck: largest number of jobs in the system, waiting or in service",
       .target = &a.capacities,
       .value_name = "LIST",
       .low = 1,
       .high = 1e7},
      {.name = "classes",
       .summary = "CSV of priority classes, most urgent first: class, arrival_per_s, service_s, service_scv",
       .target = &a.classes,
       .value_name = "FILE"}};
}

std::vector<Option> target_options(ask::QueueQuestion& a) {
  return {
      {.name = "target-wait",
       .summary = "find the least number of servers with which the mean wait is at most this",
       .target = &a.target_wait,
       .value_name = "TIME"},
      {.name = "target-p95",
       .summary = "find the least number of servers with which 95 % of the jobs wait at most this long",
       .target = &a.target_p95,
       .value_name = "TIME"},
      {.name = "target-response",
       .summary =
           "find the least number of servers with which the mean time from arrival to end is at most this",
       .target = &a.target_response,
       .value_name = "TIME"},
      {.name = "target-p95-response",
       .summary = "the same for the time from arrival to end of 95 % of the jobs; M/M/c only",
       .target = &a.target_p95_response,
       .value_name = "TIME"},
      {.name = "max-servers",
       .summary = "largest number of servers that a search for a target tries",
       .target = &a.max_servers,
       .value_name = "N",
       .low = 1,
       .high = 1e6}};
}

std::vector<Option> closed_options(ask::QueueQuestion& a) {
  return {{.name = "demands",
           .summary = "mva, laws: seconds that a user needs at each queue, visits times service",
           .target = &a.demands,
           .value_name = "LIST"},
          {.name = "delays",
           .summary = "mva, laws: seconds that a user spends at stations without a queue",
           .target = &a.delays,
           .value_name = "LIST"},
          {.name = "servers-at",
           .summary = "mva, laws: number of servers at each queue (default 1)",
           .target = &a.servers_at,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "think",
           .summary = "mva, laws: time that a user thinks between two requests",
           .target = &a.think,
           .value_name = "TIME"},
          {.name = "population",
           .summary = "mva, laws: number of users",
           .target = &a.populations,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "seidmann",
           .summary = "mva: treat queues with several servers by Seidmann's approximation",
           .target = &a.seidmann}};
}

std::vector<Option> laws_options(ask::QueueQuestion& a) {
  return {{.name = "completions",
           .summary = "laws: number of jobs that completed in the period",
           .target = &a.completions,
           .value_name = "N",
           .low = 0},
          {.name = "period",
           .summary = "laws: length of the period that was observed",
           .target = &a.period,
           .value_name = "TIME"},
          {.name = "busy",
           .summary = "laws: time that the device was busy",
           .target = &a.busy,
           .value_name = "TIME"},
          {.name = "visits",
           .summary = "laws: how often one job visits the device",
           .target = &a.visits,
           .value_name = "N",
           .low = 0},
          {.name = "residence",
           .summary = "laws: mean time of a job in the system",
           .target = &a.residence,
           .value_name = "TIME"}};
}

std::vector<Option> records_options(ask::QueueQuestion& a) {
  return {{.name = "records",
           .summary = "CSV of recorded jobs; the program tests which model they allow, and gives its answer",
           .target = &a.records,
           .value_name = "FILE"},
          {.name = "arrival-column",
           .summary = "column of the times of arrival, in seconds",
           .target = &a.arrival_column,
           .value_name = "NAME"},
          {.name = "interarrival-column",
           .summary = "column of the seconds since the previous arrival, if the file has no times of arrival",
           .target = &a.interarrival_column,
           .value_name = "NAME"},
          {.name = "service-column",
           .summary = "column of the seconds of service",
           .target = &a.service_column,
           .value_name = "NAME"},
          {.name = "level",
           .summary = "significance level: a test rejects a model if its p value is at most this",
           .target = &a.level,
           .value_name = "P",
           .low = 1e-6,
           .high = 0.5}};
}

}  // namespace

std::vector<Option> queue_options(ask::QueueQuestion& question) {
  std::vector<Option> options = {{.name = "model",
                                  .summary = "model of the queue (not needed with --records or --classes)",
                                  .target = &question.model,
                                  .value_name = "MODEL",
                                  .choices = {"mm1", "mmc", "mmck", "mg1", "ggc", "mva", "laws"}}};
  for (auto& more : {open_options(question), grouped("Servers for a target", target_options(question)),
                     grouped("Closed networks", closed_options(question)),
                     grouped("Operational laws", laws_options(question)),
                     grouped("Recorded jobs", records_options(question))}) {
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

}  // namespace sextant::cli
