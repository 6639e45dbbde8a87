#include "sextant/failures/accuracy.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/gzip.h"
#include "sextant/failures/forecast.h"

namespace sextant::failures {
namespace {

constexpr std::size_t kFewestFailures = 100;
constexpr std::int64_t kGpuClusterNodes = 400;  // its README: 231 of 400 servers failed
constexpr InterruptionCosts kCosts = {.checkpoint = Seconds{120}, .restart = Seconds{900}};

std::vector<FailureLog> recorded_logs(const std::string& data) {
  const auto read = [&data](const std::string& path, const FailureLogOptions& options) {
    return read_failure_logs(CsvTable::parse(read_maybe_packed_file(data + path), data + path), options);
  };
  std::vector<FailureLog> logs = read("/gpu-cluster-faults/faults.csv", {.nodes = kGpuClusterNodes});
  logs.front().name = "gpu-cluster";
  for (FailureLog& log : read("/lanl-failures/failures.csv.gz", {})) {
    log.name = "lanl-" + log.name;
    logs.push_back(std::move(log));
  }
  std::erase_if(logs,
                [](const FailureLog& log) { return log.nodes < 2 || log.failures.size() < kFewestFailures; });
  return logs;
}

struct HalvedLog {
  FailureLog past;
  FailureLog rest;
  double drift = 0;  // of the other logs
};

void add_cases(const HalvedLog& log, std::int64_t nodes, std::vector<stats::AccuracyLine>& lines) {
  const JobOnNodes job{.nodes = nodes, .costs = kCosts};
  const JobForecaster past(log.past, job, Rng(0), {.drift = log.drift});
  const JobForecaster rest(log.rest, job, Rng(0), {.drift = log.drift, .resamples = 0});
  const Seconds mtbf = mtbf_of_nodes(log.past.node_mtbf(), nodes);
  const Seconds every = past.best_interval();
  const Forecast forecast = past.at(every);
  const double replayed = rest.replayed(every);
  lines[0].cases.push_back({.group = log.past.name,
                            .mode = "",
                            .error = std::abs(forecast.goodput - replayed) / replayed,
                            .covered = forecast.low <= replayed && replayed <= forecast.high,
                            .half_width = (forecast.high - forecast.low) / 2 / forecast.goodput});
  const Seconds young = young_interval(kCosts.checkpoint, mtbf);
  const double at_young = rest.replayed(young);
  lines[1].cases.push_back(
      {.group = log.past.name,
       .mode = "",
       .error = std::abs(closed_form_goodput(kCosts, young, mtbf) - at_young) / at_young});
  const double hindsight = rest.replayed(rest.best_interval());
  lines[2].cases.push_back(
      {.group = log.past.name, .mode = "", .error = std::max(0.0, hindsight - replayed) / hindsight});
}

}  // namespace

std::vector<stats::AccuracyLine> goodput_accuracy(const std::string& data) {
  const std::string half = "the second half of each log";
  std::vector<stats::AccuracyLine> lines = {
      {.data = "goodput under recorded failures", .left_out = half},
      {.data = "goodput under recorded failures, by Young's and Daly's formulas", .left_out = half},
      {.data = "goodput that the chosen checkpoint interval loses", .left_out = half}};
  lines[1].intervals = lines[2].intervals = false;
  const std::vector<FailureLog> logs = recorded_logs(data);
  for (const FailureLog& log : logs) {
    std::vector<FailureLog> others = logs;
    std::erase_if(others, [&](const FailureLog& other) { return other.name == log.name; });
    const HalvedLog halved{log.between(Seconds{0}, log.period / 2), log.between(log.period / 2, log.period),
                           rate_drift(others)};
    if (halved.past.failures.size() < 2 || halved.rest.failures.empty()) continue;
    for (const double share : {0.16, 0.32, 0.64, 0.88}) {
      const double nodes = std::max(1.0, std::round(share * static_cast<double>(log.nodes)));
      add_cases(halved, static_cast<std::int64_t>(nodes), lines);
    }
  }
  return lines;
}

}  // namespace sextant::failures
