#include "sextant/report/queue_report.h"

#include <algorithm>

#include "queue_cells.h"

namespace sextant::report {
namespace {

using queueing::QueueResult;
using queueing::Sizing;
using queueing::TimeQuantiles;
using enum Importance;

struct QueueRow {
  const QueueResult& result;
  // Whether some queue of the table has a variation that is not 1, or a capacity: a screen shows them all
  // then.
  bool scvs = false;
  bool capacity = false;
  const Sizing* sizing = nullptr;  // where servers were looked for
};

Cell optional_column(bool shown, Cell cell) {
  if (!shown) cell.shown.clear();
  return cell;
}

Fields<QueueRow> load_fields() {
  using R = const QueueRow&;
  return {
      {"model", "model", [](R r) { return Cell(r.result.model); }, identity},
      {"servers", "servers", [](R r) { return Cell(r.result.load.servers); }, identity},
      {"arrival_per_s", "arrivals/s", [](R r) { return digits_cell(r.result.load.arrival_rate.value); },
       identity},
      {"service_s", "service", [](R r) { return Cell(r.result.load.service_time); }, identity},
      {"arrival_scv", "scv arr.",
       [](R r) { return optional_column(r.scvs, digits_cell(r.result.load.arrival_scv)); }, identity},
      {"service_scv", "scv serv.",
       [](R r) { return optional_column(r.scvs, digits_cell(r.result.load.service_scv)); }, identity},
      {"capacity", "capacity", [](R r) { return Cell(r.result.load.capacity); }, identity},
      {"loss", "lost", [](R r) { return optional_column(r.capacity, digits_cell(r.result.loss)); }},
      {"stable", "", [](R r) { return Cell(r.result.stable); }, detail},
      {"stable_servers", "", [](R r) { return Cell(r.result.stable_servers); }, detail},
  };
}

Field<QueueRow> quantile_field(std::string key, std::optional<TimeQuantiles> QueueResult::*quantiles,
                               Seconds TimeQuantiles::*which) {
  return {std::move(key), "", [=](const QueueRow& r) { return quantile_cell(r.result.*quantiles, which); },
          detail};
}

Fields<QueueRow> answer_fields() {
  using R = const QueueRow&;
  const auto waiting = &QueueResult::waiting_quantiles;
  const auto response = &QueueResult::response_quantiles;
  return {
      {"utilisation", "utilisation", [](R r) { return digits_cell(r.result.utilisation); }, essential},
      {"throughput_per_s", "", [](R r) { return Cell(r.result.throughput); }, detail},
      {"wait_probability", "P(wait)", [](R r) { return digits_cell(r.result.wait_probability); }},
      {"waiting_s", "mean wait", [](R r) { return unbounded_cell(r.result.waiting); }, essential},
      quantile_field("waiting_p50_s", waiting, &TimeQuantiles::p50),
      quantile_field("waiting_p90_s", waiting, &TimeQuantiles::p90),
      {"waiting_p95_s", "p95 wait", [](R r) { return waiting_p95_cell(r.result); }, essential},
      quantile_field("waiting_p99_s", waiting, &TimeQuantiles::p99),
      {"response_s", "mean response", [](R r) { return unbounded_cell(r.result.response); }},
      quantile_field("response_p50_s", response, &TimeQuantiles::p50),
      quantile_field("response_p90_s", response, &TimeQuantiles::p90),
      {"response_p95_s", "p95 response",
       [](R r) { return quantile_cell(r.result.response_quantiles, &TimeQuantiles::p95); }},
      quantile_field("response_p99_s", response, &TimeQuantiles::p99),
      {"quantiles_standing", "",
       [](R r) { return r.result.waiting_quantiles ? Cell(to_string(r.result.quantiles_standing)) : Cell(); },
       detail},
      {"in_queue", "in queue", [](R r) { return digits_cell(r.result.in_queue); }},
      {"in_system", "in system", [](R r) { return digits_cell(r.result.in_system); }},
      {"standing", "", [](R r) { return Cell(to_string(r.result.standing)); }, detail},
      {"feasible", "", [](R r) { return r.sizing ? Cell(r.sizing->feasible) : Cell(); }, detail},
      {"tightest", "", [](R r) { return r.sizing ? Cell(r.sizing->tightest) : Cell(); }, detail},
  };
}

bool any_queue(const std::vector<QueueResult>& results, bool (*has)(const QueueResult&)) {
  return std::ranges::any_of(results, has);
}

std::vector<std::string> notes_on(const std::vector<QueueResult>& results) {
  using queueing::Standing;
  std::vector<std::string> notes;
  if (any_queue(results, [](const auto& r) { return r.standing == Standing::approximate; })) {
    notes.emplace_back(
        "G/G/c: the wait is the approximation by Allen and Cunneen, for one server that by Kingman.");
  }
  return notes;
}

// With the sizing that each came from, if any.
Table queues_sized_table(const std::vector<QueueResult>& results, const std::vector<Sizing>& sizings) {
  const bool scvs =
      any_queue(results, [](const auto& r) { return r.load.arrival_scv != 1 || r.load.service_scv != 1; });
  const bool capacity = any_queue(results, [](const auto& r) { return r.load.capacity.has_value(); });
  std::vector<QueueRow> rows;
  for (std::size_t i = 0; i < results.size(); ++i) {
    rows.push_back({results[i], scvs, capacity, i < sizings.size() ? &sizings[i] : nullptr});
  }
  const Fields<QueueRow> fields =
      explained(joined({load_fields(), answer_fields()}),
                {{"arrival_scv", kScvLegend},
                 {"service_scv", kScvLegend},
                 {"wait_probability", "the share of jobs that find all servers busy"},
                 {"waiting_p95_s", "95 % of the jobs take no longer"},
                 {"response_p95_s", "95 % of the jobs take no longer"}});
  Table table = table_of(fields, rows);
  table.notes = notes_on(results);
  table.marks = {approximate_mark()};
  for (const Sizing& sizing : sizings) table.notes.push_back(sizing_note(sizing));
  return table;
}

Result queues_result(Table table) {
  return {.schema = "sextant.queue/2", .sections = {{.key = "queues", .table = std::move(table)}}};
}

Result sized_result(const ask::SizedQueues& sized) {
  std::vector<QueueResult> results;
  for (const Sizing& sizing : sized.sizings) results.push_back(sizing.result);
  return queues_result(queues_sized_table(results, sized.sizings));
}

Result priority_result(const queueing::PriorityResult& result) {
  using Part = queueing::PriorityClassResult;
  using P = const Part&;
  const Fields<Part> parts = {
      {"class", "class", [](P p) { return Cell(p.job.name); }, identity},
      {"arrival_per_s", "arrivals/s", [](P p) { return digits_cell(p.job.arrival_rate.value); }, identity},
      {"service_s", "service", [](P p) { return Cell(p.job.service_time); }, identity},
      {"service_scv", "scv serv.", [](P p) { return digits_cell(p.job.service_scv); }, identity},
      {"stable", "", [](P p) { return Cell(p.stable); }, detail},
      {"utilisation", "utilisation", [](P p) { return digits_cell(p.utilisation); }},
      {"waiting_s", "mean wait", [](P p) { return unbounded_cell(p.waiting); }, essential},
      {"response_s", "mean response", [](P p) { return unbounded_cell(p.response); }, essential},
      {"in_queue", "in queue", [](P p) { return digits_cell(p.in_queue); }},
      {"in_system", "in system", [](P p) { return digits_cell(p.in_system); }},
  };
  using All = const queueing::PriorityResult&;
  const Fields<queueing::PriorityResult> facts = {
      {"model", "model", [](All) { return Cell("M/G/1"); }},
      {"stable", "stable", [](All r) { return Cell(r.stable); }},
      {"stable_servers", "stable servers", [](All r) { return Cell(r.stable_servers); }},
      {"utilisation", "utilisation", [](All r) { return digits_cell(r.utilisation); }},
      {"waiting_s", "mean wait", [](All r) { return unbounded_cell(r.waiting); }},
      {"response_s", "mean response", [](All r) { return unbounded_cell(r.response); }},
  };
  Table table = table_of(explained(parts, {{"service_scv", kScvLegend}}), result.classes);
  table.notes.push_back("All jobs: utilisation " + digits_cell(result.utilisation).shown + ", mean wait " +
                        unbounded_cell(result.waiting).shown + ", mean response " +
                        unbounded_cell(result.response).shown + ".");
  return {.schema = "sextant.queue-priority/1",
          .sections = {{.key = "classes", .table = std::move(table)}},
          .facts = facts_of(facts, result)};
}

}  // namespace

Table queues_table(const std::vector<QueueResult>& results) {
  return queues_sized_table(results, {});
}

std::string sizing_note(const Sizing& sizing) {
  const std::string servers = std::to_string(sizing.result.load.servers);
  if (!sizing.feasible) return "Not even " + servers + " servers are enough: " + sizing.tightest + ".";
  if (sizing.tightest.empty()) return "One server is enough.";
  return servers + " servers are enough; with one less, " + sizing.tightest + ".";
}

Result queue_result(const ask::QueueAnswer& answer) {
  struct Forms {
    Result operator()(const ask::OpenQueues& open) const { return queues_result(queues_table(open.results)); }
    Result operator()(const ask::SizedQueues& sized) const { return sized_result(sized); }
    Result operator()(const queueing::PriorityResult& result) const { return priority_result(result); }
    Result operator()(const ask::ClosedQueues& closed) const { return closed_result(closed); }
    Result operator()(const ask::ClosedBounds& bounds) const { return bounds_result(bounds); }
    Result operator()(const ask::QueueLaws& laws) const { return laws_result(laws); }
    Result operator()(const ask::RecordedQueue& recorded) const { return records_result(recorded); }
  };
  return std::visit(Forms{}, answer.result);
}

}  // namespace sextant::report
