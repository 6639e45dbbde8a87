#include "sextant/report/measure_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

Json percentiles_json(const measure::TrialResult& result) {
  if (result.measured == 0) return {};
  return {{"median", number_or_null(result.iteration_s.median)},
          {"p10", number_or_null(result.iteration_s.p10)},
          {"p90", number_or_null(result.iteration_s.p90)},
          {"median_from", number_or_null(result.median_interval.low)},
          {"median_to", number_or_null(result.median_interval.high)}};
}

Json breakdown_json(const measure::IterationTimes& times) {
  return {{"input_s", times.input_s},
          {"forward_s", times.forward_s},
          {"backward_s", times.backward_s},
          {"communication_s", times.communication_s},
          {"exposed_communication_s", times.exposed_communication_s},
          {"optimizer_s", times.optimizer_s}};
}

// What was counted stands first and says how; theory stands beside it.
double counted(const measure::WireBytes& bytes) {
  return bytes.kernel ? *bytes.kernel : bytes.payload;
}
std::string counted_by(const measure::WireBytes& bytes) {
  return bytes.kernel ? "kernel's socket counters" : "payload given to calls";
}

Json bytes_json(const measure::WireBytes& bytes) {
  return {{"counted_by", counted_by(bytes)},
          {"payload", bytes.payload},
          {"theoretical_on_wire", bytes.theoretical},
          {"kernel", bytes.kernel ? Json(*bytes.kernel) : Json()}};
}

Json failure_json(const measure::Failure& failure) {
  Json json = {{"rank", failure.rank},
               {"iteration", failure.iteration},
               {"what", failure.what},
               {"noticed_s", failure.noticed_s}};
  json["resumed_from"] = failure.resumed_from < 0 ? Json() : Json(failure.resumed_from);
  return json;
}

measure::IterationTimes mean_times(const measure::WorkerReport& worker, std::size_t skip) {
  measure::IterationTimes sum;
  double count = 0;
  for (std::size_t i = skip; i < worker.iterations.size(); ++i, ++count) {
    const measure::IterationTimes& t = worker.iterations[i];
    sum.total_s += t.total_s;
    sum.input_s += t.input_s;
    sum.forward_s += t.forward_s;
    sum.backward_s += t.backward_s;
    sum.communication_s += t.communication_s;
    sum.exposed_communication_s += t.exposed_communication_s;
    sum.optimizer_s += t.optimizer_s;
  }
  if (count == 0) return sum;
  return {sum.total_s / count,    sum.input_s / count,         sum.forward_s / count,
          sum.backward_s / count, sum.communication_s / count, sum.exposed_communication_s / count,
          sum.optimizer_s / count};
}

Json worker_json(const measure::WorkerReport& worker, std::int64_t warmup) {
  const auto skip = static_cast<std::size_t>(std::max<std::int64_t>(0, warmup));
  const measure::IterationTimes mean = mean_times(worker, skip);
  Json json = {{"rank", worker.rank},
               {"role", worker.role},
               {"host", worker.host},
               {"iterations", worker.iterations.size()},
               {"mean_iteration_s", mean.total_s},
               {"breakdown", breakdown_json(mean)},
               {"bytes", bytes_json(worker.bytes)},
               {"peak_rss_bytes", worker.peak_rss_bytes}};
  if (!worker.error.empty()) json["error"] = worker.error;
  return json;
}

Json configuration_json(const measure::Trial& trial) {
  return {{"net", trial.net},
          {"batch", trial.sizes.batch},
          {"strategy", trial.strategy},
          {"workers", trial.workers},
          {"servers", trial.servers},
          {"transport", trial.transport},
          {"bucket_mb", trial.transport == "none" ? Json() : Json(trial.bucket_mb)},
          {"threads", trial.threads}};
}

void add_series(Json& json, const measure::TrialResult& result) {
  json["iteration_times_s"] = result.iteration_times;
  json["round_medians_s"] = result.round_medians;
  json["losses"] = result.losses;
}

Json result_json(const measure::TrialResult& result) {
  Json json = configuration_json(result.trial);
  json["iteration_s"] = percentiles_json(result);
  json["breakdown"] = breakdown_json(result.breakdown);
  json["bytes_per_iteration"] = counted(result.bytes_per_iteration);
  json["bytes"] = bytes_json(result.bytes_per_iteration);
  json["samples_per_s"] = number_or_null(result.samples_per_s);
  json["loss"] = number_or_null(result.loss);
  json["accuracy"] = result.accuracy ? Json(*result.accuracy) : Json();
  json["peak_rss_bytes"] = result.peak_rss_bytes;
  json["completed"] = result.last.outcome.completed;
  json["rounds"] = result.rounds;
  json["measured_iterations"] = result.measured;
  json["warmup_dropped"] = result.warmup_dropped;
  json["outliers"] = result.outliers;
  json["precise"] = result.precise;
  json["warnings"] = result.warnings;
  json["per_worker"] = Json::array();
  for (const measure::WorkerReport& worker : result.last.outcome.ranks) {
    json["per_worker"].push_back(worker_json(worker, result.trial.warmup));
  }
  json["failures"] = Json::array();
  for (const measure::Failure& failure : result.last.outcome.failures)
    json["failures"].push_back(failure_json(failure));
  add_series(json, result);
  return json;
}

// Buckets are there where processes talk.
std::vector<Cell> configuration_cells(const measure::Trial& trial) {
  const Cell bucket = trial.transport == "none" ? Cell() : Cell(trial.bucket_mb);
  return {trial.net,     trial.sizes.batch, trial.strategy, trial.workers,
          trial.servers, trial.transport,   bucket,         trial.threads};
}

// Nothing where no iteration counts, as after a failure.
std::vector<Cell> measured_cells(const measure::TrialResult& r) {
  constexpr std::size_t kCells = 14;
  if (r.measured == 0) return std::vector<Cell>(kCells);
  return {Seconds{r.iteration_s.median},
          Seconds{r.median_interval.low},
          Seconds{r.median_interval.high},
          Seconds{r.breakdown.input_s},
          Seconds{r.breakdown.forward_s},
          Seconds{r.breakdown.backward_s},
          Seconds{r.breakdown.communication_s},
          Seconds{r.breakdown.exposed_communication_s},
          Seconds{r.breakdown.optimizer_s},
          Bytes{counted(r.bytes_per_iteration)},
          digits_cell(r.samples_per_s),
          digits_cell(r.loss),
          r.accuracy ? percent_cell(*r.accuracy) : Cell(),
          Bytes{r.peak_rss_bytes}};
}

std::vector<Column> configuration_columns() {
  return {{"net", "net"},
          {"batch", "batch"},
          {"strategy", "strategy"},
          {"workers", "workers"},
          {"servers", "servers"},
          {"transport", "transport"},
          {"bucket_mb", "bucket MiB"},
          {"threads", "threads"}};
}

}  // namespace

Table measurements_table(std::span<const measure::TrialResult> results) {
  Table table{.columns = configuration_columns(), .rows = {}, .notes = {}};
  for (const Column& column : std::vector<Column>{{"iteration_s", "iteration"},
                                                  {"median_from_s", "95 % from"},
                                                  {"median_to_s", "to"},
                                                  {"input_s", "input"},
                                                  {"forward_s", "forward"},
                                                  {"backward_s", "backward"},
                                                  {"communication_s", "comm."},
                                                  {"exposed_communication_s", "exposed"},
                                                  {"optimizer_s", "optimizer"},
                                                  {"bytes_per_iteration", "sent"},
                                                  {"samples_per_s", "samples/s"},
                                                  {"loss", "loss"},
                                                  {"accuracy", "accuracy"},
                                                  {"peak_rss_bytes", "memory"}}) {
    table.columns.push_back(column);
  }
  for (const measure::TrialResult& result : results) {
    std::vector<Cell> row = configuration_cells(result.trial);
    const std::vector<Cell> measured = measured_cells(result);
    row.insert(row.end(), measured.begin(), measured.end());
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "batch: samples of a step on each worker. 95 %: interval of the median iteration. exposed: "
      "communication "
      "that nothing else hides. sent: by one worker, in one iteration."};
  return table;
}

Json measurements_json(std::span<const measure::TrialResult> results) {
  Json list = Json::array();
  for (const measure::TrialResult& result : results) {
    Json one = {{"schema", "sextant.measurement/1"}};
    one.update(result_json(result));
    list.push_back(std::move(one));
  }
  return list;
}

Table operators_timing_table(std::span<const measure::TrialResult> results) {
  Table table{.columns = {{"net", "net"},
                          {"batch", "batch"},
                          {"threads", "threads"},
                          {"node", "node"},
                          {"name", "name"},
                          {"type", "type"},
                          {"flop", "FLOP"},
                          {"bytes", "bytes"},
                          {"forward_s", "forward"},
                          {"backward_s", "backward"}},
              .rows = {},
              .notes = {}};
  for (const measure::TrialResult& result : results) {
    if (result.last.outcome.ranks.empty()) continue;
    for (const measure::OperatorTiming& op : result.last.outcome.ranks.front().operators) {
      table.rows.push_back({result.trial.net, result.trial.sizes.batch, result.trial.threads, op.node,
                            op.name, op.type, Flops{op.flop}, Bytes{op.bytes}, Seconds{op.forward_s},
                            Seconds{op.backward_s}});
    }
  }
  return table;
}

Table effects_table(std::span<const ask::NetworkEffects> networks, const std::string& response) {
  Table table{.columns = {{"net", "net"},
                          {"factor", "factor"},
                          {"low", "low"},
                          {"high", "high"},
                          {"ratio", response + ", high / low"},
                          {"ratio_from", "95 % from"},
                          {"ratio_to", "to"},
                          {"p_value", "p"},
                          {"share", "of variation"}},
              .rows = {},
              .notes = {}};
  for (const ask::NetworkEffects& network : networks) {
    for (const measure::FactorEffect& e : network.effects) {
      table.rows.push_back({network.net, e.factor, e.low, e.high, digits_cell(e.ratio),
                            digits_cell(e.ratio_interval.low), digits_cell(e.ratio_interval.high),
                            digits_cell(e.p_value), percent_cell(e.share)});
    }
  }
  table.notes = {
      "A ratio of 1 is no change; an interval that holds 1 leaves open whether there is one. A factor's "
      "ratio is "
      "the mean over the levels of the others; where an interaction (a x b) is large, look at the levels "
      "apart."};
  return table;
}

}  // namespace sextant::report
