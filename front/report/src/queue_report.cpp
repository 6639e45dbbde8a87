#include "sextant/report/queue_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "queue_cells.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

struct Shown {
  bool scvs, capacity;
};

std::vector<Column> queue_columns(const Shown& present) {
  std::vector<Column> all = {
      {"model", "model"}, {"servers", "servers"}, {"arrival_per_s", "arrivals/s"}, {"service_s", "service"}};
  if (present.scvs) all.insert(all.end(), {{"arrival_scv", "scv arr."}, {"service_scv", "scv serv."}});
  if (present.capacity) all.insert(all.end(), {{"capacity", "capacity"}, {"loss", "lost"}});
  all.insert(all.end(), {{"utilisation", "utilisation"},
                         {"wait_probability", "P(wait)"},
                         {"waiting_s", "mean wait"},
                         {"waiting_p95_s", "p95 wait"},
                         {"response_s", "mean response"},
                         {"response_p95_s", "p95 response"},
                         {"in_queue", "in queue"},
                         {"in_system", "in system"}});
  return all;
}

std::vector<Cell> row(const queueing::QueueResult& r, const Shown& present) {
  std::vector<Cell> cells = {r.model, r.load.servers, digits_cell(r.load.arrival_rate.value),
                             Cell(r.load.service_time)};
  if (present.scvs) {
    cells.push_back(digits_cell(r.load.arrival_scv));
    cells.push_back(digits_cell(r.load.service_scv));
  }
  if (present.capacity) {
    cells.push_back(r.load.capacity ? Cell(*r.load.capacity) : Cell());
    cells.push_back(digits_cell(r.loss));
  }
  cells.push_back(digits_cell(r.utilisation));
  cells.push_back(digits_cell(r.wait_probability));
  cells.push_back(unbounded_cell(r.waiting));
  Cell p95 = r.waiting_quantiles ? Cell(r.waiting_quantiles->p95) : Cell();
  if (r.waiting_quantiles && r.quantiles_standing == queueing::Standing::approximate)
    p95.shown = "~" + p95.shown;
  cells.push_back(p95);
  cells.push_back(unbounded_cell(r.response));
  cells.push_back(r.response_quantiles ? Cell(r.response_quantiles->p95) : Cell());
  cells.push_back(digits_cell(r.in_queue));
  cells.push_back(digits_cell(r.in_system));
  return cells;
}

bool any(const std::vector<queueing::QueueResult>& results, bool (*has)(const queueing::QueueResult&)) {
  return std::ranges::any_of(results, has);
}

}  // namespace

Table queues_table(const std::vector<queueing::QueueResult>& results) {
  const Shown present{
      .scvs = any(results, [](const auto& r) { return r.load.arrival_scv != 1 || r.load.service_scv != 1; }),
      .capacity = any(results, [](const auto& r) { return r.load.capacity.has_value(); })};
  Table table;
  table.columns = queue_columns(present);
  for (const auto& result : results) table.rows.push_back(row(result, present));
  const auto approximate = [](const queueing::QueueResult& r) {
    return r.waiting_quantiles && r.quantiles_standing == queueing::Standing::approximate;
  };
  if (any(results, [](const auto& r) { return r.standing == queueing::Standing::approximate; })) {
    table.notes.emplace_back("G/G/c: the approximation by Allen and Cunneen (one server: Kingman).");
  }
  if (any(results, approximate)) {
    table.notes.emplace_back("~ : approximate, as if those that wait did so for an exponential time.");
  }
  return table;
}

Json to_json(const queueing::QueueResult& r) {
  Json json = {{"schema", "sextant.queue/1"},
               {"model", r.model},
               {"standing", to_string(r.standing)},
               {"servers", r.load.servers},
               {"arrival_per_s", r.load.arrival_rate.value},
               {"service_s", r.load.service_time.value},
               {"arrival_scv", r.load.arrival_scv},
               {"service_scv", r.load.service_scv}};
  json["capacity"] = r.load.capacity ? Json(*r.load.capacity) : Json(nullptr);
  json["stable"] = r.stable;
  json["stable_servers"] = r.stable_servers ? Json(*r.stable_servers) : Json(nullptr);
  json["utilisation"] = number_or_null(r.utilisation);
  json["throughput_per_s"] = number_or_null(r.throughput.value);
  json["loss"] = r.loss;
  json["wait_probability"] = r.wait_probability;
  json["waiting_s"] = number_or_null(r.waiting.value);
  json["response_s"] = number_or_null(r.response.value);
  json["in_queue"] = number_or_null(r.in_queue);
  json["in_system"] = number_or_null(r.in_system);
  json["waiting_quantiles"] = quantiles_json(r.waiting_quantiles);
  json["response_quantiles"] = quantiles_json(r.response_quantiles);
  json["quantiles_standing"] = r.waiting_quantiles ? Json(to_string(r.quantiles_standing)) : Json(nullptr);
  return json;
}

Table sizing_table(const std::vector<queueing::Sizing>& sizings) {
  std::vector<queueing::QueueResult> results;
  for (const auto& sizing : sizings) results.push_back(sizing.result);
  Table table = queues_table(results);
  for (const auto& sizing : sizings) {
    const std::string servers = std::to_string(sizing.result.load.servers);
    if (!sizing.feasible) {
      table.notes.push_back("Not even " + servers + " servers are enough: " + sizing.tightest + ".");
    } else if (sizing.tightest.empty()) {
      table.notes.emplace_back("One server is enough.");
    } else {
      table.notes.push_back(servers + " servers are enough; with one less, " + sizing.tightest + ".");
    }
  }
  return table;
}

Json to_json(const queueing::Sizing& sizing) {
  Json json = to_json(sizing.result);
  json["feasible"] = sizing.feasible;
  json["tightest"] = sizing.tightest;
  return json;
}

Table priority_table(const queueing::PriorityResult& result) {
  Table table;
  table.columns = {{"class", "class"},
                   {"arrival_per_s", "arrivals/s"},
                   {"service_s", "service"},
                   {"service_scv", "scv serv."},
                   {"utilisation", "utilisation"},
                   {"waiting_s", "mean wait"},
                   {"response_s", "mean response"},
                   {"in_queue", "in queue"},
                   {"in_system", "in system"}};
  for (const auto& part : result.classes) {
    table.rows.push_back(
        {part.job.name, digits_cell(part.job.arrival_rate.value), Cell(part.job.service_time),
         digits_cell(part.job.service_scv), digits_cell(part.utilisation), unbounded_cell(part.waiting),
         unbounded_cell(part.response), digits_cell(part.in_queue), digits_cell(part.in_system)});
  }
  table.notes.push_back("All jobs: utilisation " + digits_cell(result.utilisation).shown + ", mean wait " +
                        unbounded_cell(result.waiting).shown + ", mean response " +
                        unbounded_cell(result.response).shown + ".");
  return table;
}

Json to_json(const queueing::PriorityResult& result) {
  Json json = {{"schema", "sextant.queue-priority/1"}, {"model", "M/G/1"}, {"stable", result.stable}};
  json["stable_servers"] = result.stable_servers ? Json(*result.stable_servers) : Json(nullptr);
  json["utilisation"] = number_or_null(result.utilisation);
  json["waiting_s"] = number_or_null(result.waiting.value);
  json["response_s"] = number_or_null(result.response.value);
  json["classes"] = Json::array();
  for (const auto& part : result.classes) {
    json["classes"].push_back({{"class", part.job.name},
                               {"arrival_per_s", part.job.arrival_rate.value},
                               {"service_s", part.job.service_time.value},
                               {"service_scv", part.job.service_scv},
                               {"stable", part.stable},
                               {"utilisation", number_or_null(part.utilisation)},
                               {"waiting_s", number_or_null(part.waiting.value)},
                               {"response_s", number_or_null(part.response.value)},
                               {"in_queue", number_or_null(part.in_queue)},
                               {"in_system", number_or_null(part.in_system)}});
  }
  return json;
}

}  // namespace sextant::report
