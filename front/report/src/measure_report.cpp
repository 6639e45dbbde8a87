#include "sextant/report/measure_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

using measure::IterationTimes;
using measure::OperatorTiming;
using measure::Trial;
using measure::TrialResult;
using measure::WireBytes;
using measure::WorkerReport;
using enum Importance;

// What was counted stands first and says how; theory stands beside it.
double counted(const WireBytes& bytes) {
  return bytes.kernel ? *bytes.kernel : bytes.payload;
}
std::string counted_by(const WireBytes& bytes) {
  return bytes.kernel ? "kernel's socket counters" : "payload given to calls";
}

template <class Row>
Fields<Row> byte_fields(WireBytes Row::*bytes) {
  return {
      {"bytes.counted_by", "", [=](const Row& r) { return Cell(counted_by(r.*bytes)); }, detail},
      {"bytes.payload", "", [=](const Row& r) { return Cell((r.*bytes).payload); }, detail},
      {"bytes.theoretical_on_wire", "", [=](const Row& r) { return Cell((r.*bytes).theoretical); }, detail},
      {"bytes.kernel", "", [=](const Row& r) { return Cell((r.*bytes).kernel); }, detail},
  };
}

// Where the time of an iteration goes, the total left out.
struct Phase {
  std::string key;
  std::string title;
  double IterationTimes::*seconds;
};
std::vector<Phase> phases() {
  return {{"input_s", "input", &IterationTimes::input_s},
          {"forward_s", "forward", &IterationTimes::forward_s},
          {"backward_s", "backward", &IterationTimes::backward_s},
          {"communication_s", "comm.", &IterationTimes::communication_s},
          {"exposed_communication_s", "exposed", &IterationTimes::exposed_communication_s},
          {"optimizer_s", "optimizer", &IterationTimes::optimizer_s}};
}

// A process of a configuration, with the means of the iterations after its warm-up.
struct WorkerRow {
  const WorkerReport& report;
  WireBytes bytes;
  IterationTimes mean;
};

IterationTimes mean_times(const WorkerReport& worker, std::size_t skip) {
  IterationTimes sum;
  double count = 0;
  std::vector<double IterationTimes::*> parts = {&IterationTimes::total_s};
  for (const Phase& phase : phases()) parts.push_back(phase.seconds);
  for (std::size_t i = skip; i < worker.iterations.size(); ++i, ++count) {
    for (const auto part : parts) sum.*part += worker.iterations[i].*part;
  }
  for (const auto part : parts) sum.*part /= std::max(count, 1.0);
  return sum;
}

Fields<WorkerRow> worker_fields() {
  using R = const WorkerRow&;
  Fields<WorkerRow> fields = {
      {"rank", "rank", [](R r) { return Cell(r.report.rank); }},
      {"role", "role", [](R r) { return Cell(r.report.role); }},
      {"host", "host", [](R r) { return Cell(r.report.host); }},
      {"iterations", "iterations",
       [](R r) { return Cell(static_cast<std::int64_t>(r.report.iterations.size())); }},
      {"mean_iteration_s", "iteration", [](R r) { return Cell(Seconds{r.mean.total_s}); }},
  };
  for (const Phase& phase : phases()) {
    fields.push_back({"breakdown." + phase.key, phase.title,
                      [part = phase.seconds](R r) { return Cell(Seconds{r.mean.*part}); }});
  }
  std::ranges::move(byte_fields(&WorkerRow::bytes), std::back_inserter(fields));
  fields.push_back({"peak_rss_bytes", "memory", [](R r) { return Cell(Bytes{r.report.peak_rss_bytes}); }});
  fields.push_back(
      {"error", "error", [](R r) { return r.report.error.empty() ? Cell() : Cell(r.report.error); }});
  return fields;
}

Cell workers_cell(const TrialResult& result) {
  const auto skip = static_cast<std::size_t>(std::max<std::int64_t>(0, result.trial.warmup));
  std::vector<WorkerRow> rows;
  for (const WorkerReport& worker : result.last.outcome.ranks) {
    rows.push_back({worker, worker.bytes, mean_times(worker, skip)});
  }
  return Cell::nested(to_json(table_of(worker_fields(), rows)));
}

Cell failures_cell(const TrialResult& result) {
  using measure::Failure;
  using F = const Failure&;
  const Fields<Failure> fields = {
      {"rank", "rank", [](F f) { return Cell(f.rank); }},
      {"iteration", "iteration", [](F f) { return Cell(f.iteration); }},
      {"what", "what", [](F f) { return Cell(f.what); }},
      {"noticed_s", "noticed after", [](F f) { return Cell(Seconds{f.noticed_s}); }},
      {"resumed_from", "resumed from",
       [](F f) { return f.resumed_from < 0 ? Cell() : Cell(f.resumed_from); }},
  };
  return Cell::nested(to_json(table_of(fields, result.last.outcome.failures)));
}

// Buckets are there where processes talk.
Cell bucket_cell(const Trial& trial) {
  return trial.transport == "none" ? Cell() : Cell(trial.bucket_mb);
}

Fields<TrialResult> configuration_fields() {
  using R = const TrialResult&;
  return {
      {"net", "net", [](R r) { return Cell(r.trial.job.net); }, identity},
      {"batch", "batch", [](R r) { return Cell(r.trial.job.sizes.batch); }, identity},
      {"strategy", "strategy", [](R r) { return Cell(r.trial.strategy); }, identity},
      {"workers", "workers", [](R r) { return Cell(r.trial.workers); }, identity},
      {"servers", "servers", [](R r) { return Cell(r.trial.servers); }, identity},
      {"transport", "transport", [](R r) { return Cell(r.trial.transport); }, identity},
      {"bucket_mb", "bucket MiB", [](R r) { return bucket_cell(r.trial); }, identity},
      {"threads", "threads", [](R r) { return Cell(r.trial.threads); }, identity},
  };
}

// Nothing where no iteration counts, as after a failure.
Fields<TrialResult> where_measured(const Fields<TrialResult>& fields) {
  return of_part<TrialResult, TrialResult>(
      fields, [](const TrialResult& r) { return r.measured == 0 ? nullptr : &r; });
}

Fields<TrialResult> time_fields() {
  using R = const TrialResult&;
  Fields<TrialResult> fields = {
      {"iteration_s", "iteration", [](R r) { return Cell(Seconds{r.iteration_s.median}); }, essential},
      {"median_from_s", "95 % low", [](R r) { return Cell(Seconds{r.median_interval.low}); }, essential},
      {"median_to_s", "95 % high", [](R r) { return Cell(Seconds{r.median_interval.high}); }, essential},
      {"iteration_p10_s", "", [](R r) { return Cell(Seconds{r.iteration_s.p10}); }, detail},
      {"iteration_p90_s", "", [](R r) { return Cell(Seconds{r.iteration_s.p90}); }, detail},
  };
  for (const Phase& phase : phases()) {
    fields.push_back(
        {phase.key, phase.title, [part = phase.seconds](R r) { return Cell(Seconds{r.breakdown.*part}); }});
  }
  return fields;
}

Fields<TrialResult> training_fields() {
  using R = const TrialResult&;
  return {
      {"bytes_per_iteration", "sent", [](R r) { return Cell(Bytes{counted(r.bytes_per_iteration)}); }},
      {"samples_per_s", "samples/s", [](R r) { return digits_cell(r.samples_per_s); }, essential},
      {"loss", "loss", [](R r) { return digits_cell(r.loss); }},
      {"accuracy", "accuracy", [](R r) { return r.accuracy ? percent_cell(*r.accuracy) : Cell(); }},
      {"peak_rss_bytes", "memory", [](R r) { return Cell(Bytes{r.peak_rss_bytes}); }},
  };
}

// How the numbers came about.
Fields<TrialResult> campaign_fields() {
  using R = const TrialResult&;
  return {
      {"completed", "", [](R r) { return Cell(r.last.outcome.completed); }, detail},
      {"rounds", "", [](R r) { return Cell(r.rounds); }, detail},
      {"measured_iterations", "", [](R r) { return Cell(r.measured); }, detail},
      {"warmup_dropped", "", [](R r) { return Cell(r.warmup_dropped); }, detail},
      {"outliers", "", [](R r) { return Cell(r.outliers); }, detail},
      {"precise", "", [](R r) { return Cell(r.precise); }, detail},
      {"warnings", "", [](R r) { return Cell::nested(r.warnings); }, detail},
      {"per_worker", "", workers_cell, detail},
      {"failures", "", failures_cell, detail},
      {"iteration_times_s", "", [](R r) { return Cell::nested(r.iteration_times); }, detail},
      {"round_medians_s", "", [](R r) { return Cell::nested(r.round_medians); }, detail},
      {"losses", "", [](R r) { return Cell::nested(r.losses); }, detail},
  };
}

Fields<TrialResult> measurement_fields() {
  return joined({configuration_fields(), where_measured(time_fields()), where_measured(training_fields()),
                 byte_fields(&TrialResult::bytes_per_iteration), campaign_fields()});
}

struct OperatorRow {
  const Trial& trial;
  const OperatorTiming& timing;
};

Fields<OperatorRow> operator_fields() {
  using R = const OperatorRow&;
  return {
      {"net", "net", [](R r) { return Cell(r.trial.job.net); }, identity},
      {"batch", "batch", [](R r) { return Cell(r.trial.job.sizes.batch); }, identity},
      {"threads", "threads", [](R r) { return Cell(r.trial.threads); }, identity},
      {"node", "node", [](R r) { return Cell(r.timing.node); }},
      {"name", "name", [](R r) { return Cell(r.timing.name); }, identity},
      {"type", "type", [](R r) { return Cell(r.timing.type); }},
      {"flop", "FLOP", [](R r) { return Cell(Flops{r.timing.flop}); }},
      {"bytes", "bytes", [](R r) { return Cell(Bytes{r.timing.bytes}); }},
      {"forward_s", "forward", [](R r) { return Cell(Seconds{r.timing.forward_s}); }, essential},
      {"backward_s", "backward", [](R r) { return Cell(Seconds{r.timing.backward_s}); }, essential},
  };
}

struct EffectRow {
  const std::string& net;
  const measure::FactorEffect& effect;
};

Fields<EffectRow> effect_fields(const std::string& response) {
  using R = const EffectRow&;
  return {
      {"net", "net", [](R r) { return Cell(r.net); }, identity},
      {"factor", "factor", [](R r) { return Cell(r.effect.factor); }, identity},
      {"low", "low", [](R r) { return Cell(r.effect.low); }},
      {"high", "high", [](R r) { return Cell(r.effect.high); }},
      {"ratio", response + ", high / low", [](R r) { return digits_cell(r.effect.ratio); }, essential},
      {"ratio_from", "95 % low", [](R r) { return digits_cell(r.effect.ratio_interval.low); }},
      {"ratio_to", "95 % high", [](R r) { return digits_cell(r.effect.ratio_interval.high); }},
      {"p_value", "p", [](R r) { return digits_cell(r.effect.p_value); }, essential},
      {"share", "of variation", [](R r) { return percent_cell(r.effect.share); }},
  };
}

}  // namespace

Result measurements_result(const measure::CampaignResult& campaign) {
  using C = const measure::CampaignResult&;
  constexpr const char* kInterval = "interval of the median iteration";
  Table table = table_of(
      explained(measurement_fields(),
                {{"batch", "samples of a step on each worker"},
                 {"median_from_s", kInterval},
                 {"median_to_s", kInterval},
                 {"exposed_communication_s", "communication that nothing else hides"},
                 {"samples_per_s", "the workers' rates together, each by the median of its own iterations"},
                 {"bytes_per_iteration", "by one worker, in one iteration"}}),
      campaign.results);
  const bool anything =
      !campaign.interrupted ||
      std::ranges::any_of(campaign.results, [](const TrialResult& r) { return r.measured > 0; });
  Table nothing;  // instead of rows without a number
  if (!campaign.ending.empty()) (anything ? table : nothing).notes.push_back(campaign.ending);
  const Fields<measure::CampaignResult> facts = {
      {"ending", "", [](C c) { return c.ending.empty() ? Cell() : Cell(c.ending); }, detail},
      {"seconds", "", [](C c) { return Cell(Seconds{c.seconds}); }, detail},
  };
  return {.schema = "sextant.measurements/2",
          .sections = {{.key = "measurements", .table = std::move(table), .shown = anything},
                       {.table = std::move(nothing), .shown = !anything}},
          .facts = facts_of(facts, campaign)};
}

Result operator_timings_result(std::span<const TrialResult> results) {
  std::vector<OperatorRow> rows;
  for (const TrialResult& result : results) {
    if (result.last.outcome.ranks.empty()) continue;
    for (const OperatorTiming& op : result.last.outcome.ranks.front().operators) {
      rows.push_back({result.trial, op});
    }
  }
  return {.schema = "sextant.operator-timings/1",
          .sections = {{.key = "operators", .table = table_of(operator_fields(), rows)}}};
}

Result measured_effects_result(std::span<const ask::NetworkEffects> networks, const std::string& response) {
  std::vector<EffectRow> rows;
  for (const ask::NetworkEffects& network : networks) {
    for (const measure::FactorEffect& effect : network.effects) rows.push_back({network.net, effect});
  }
  Table table = table_of(effect_fields(response), rows);
  table.notes = {
      "A ratio of 1 is no change; an interval that holds 1 leaves open whether there is one. A factor's "
      "ratio is the mean over the levels of the other factors; where an interaction (a x b) is large, look "
      "at "
      "each level alone."};
  const Fields<std::string> facts = {{"response", "response", [](const std::string& r) { return Cell(r); }}};
  return {.schema = "sextant.measured-effects/1",
          .sections = {{.key = "effects", .table = std::move(table)}},
          .facts = facts_of(facts, response)};
}

}  // namespace sextant::report
