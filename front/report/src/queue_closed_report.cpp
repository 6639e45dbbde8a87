// Closed networks and operational laws.
#include "queue_cells.h"

namespace sextant::report {
namespace {

using queueing::ClosedNetwork;
using queueing::ClosedResult;
using enum Importance;

std::string knee_note(const ClosedNetwork& network) {
  return "Bottleneck " + network.stations[bottleneck(network)].name + "; users queue from about " +
         digits_cell(knee(network)).shown + " on.";
}

Fields<ClosedNetwork> network_fields() {
  using N = const ClosedNetwork&;
  return {
      {"think_s", "think time", [](N n) { return Cell(n.think); }},
      {"knee_users", "users queue from", [](N n) { return digits_cell(knee(n)); }},
      {"bottleneck", "bottleneck", [](N n) { return Cell(n.stations[bottleneck(n)].name); }},
      {"multi_server", "several servers",
       [](N n) { return Cell(n.multi_server == queueing::MultiServer::exact ? "exact" : "seidmann"); }},
  };
}

Section stations_section(const ClosedNetwork& network) {
  using S = const queueing::Station&;
  const Fields<queueing::Station> fields = {
      {"name", "station", [](S s) { return Cell(s.name); }, identity},
      {"demand_s", "demand", [](S s) { return Cell(s.demand); }, essential},
      {"kind", "kind", [](S s) { return Cell(s.kind == queueing::StationKind::delay ? "delay" : "queue"); }},
      {"servers", "servers", [](S s) { return Cell(s.servers); }},
  };
  return {.key = "stations", .table = table_of(fields, network.stations), .shown = false};
}

void add_station(Fields<ClosedResult>& fields, const std::string& name, std::size_t i) {
  using R = const ClosedResult&;
  const std::string object = "at_stations";
  fields.push_back({name + "_residence_s", name + " time", [i](R r) { return Cell(r.stations[i].residence); },
                    usual, object});
  fields.push_back({name + "_number", "number", [i](R r) { return digits_cell(r.stations[i].in_station); },
                    usual, object});
  fields.push_back({name + "_utilisation", "util.",
                    [i](R r) { return digits_cell(r.stations[i].utilisation); }, usual, object});
}

Fields<ClosedResult> population_fields(const ClosedNetwork& network) {
  using R = const ClosedResult&;
  Fields<ClosedResult> fields = {
      {"population", "users", [](R r) { return Cell(r.population); }, identity},
      {"throughput_per_s", "throughput/s", [](R r) { return digits_cell(r.throughput.value); }, essential},
      {"throughput_bound_per_s", "at most", [](R r) { return digits_cell(r.bounds.throughput.value); }},
      {"response_s", "response", [](R r) { return Cell(r.response); }, essential},
      {"response_bound_s", "at least", [](R r) { return Cell(r.bounds.response); }},
  };
  for (std::size_t i = 0; i < network.stations.size(); ++i) add_station(fields, network.stations[i].name, i);
  return fields;
}

struct BoundsRow {
  std::int64_t population = 0;
  queueing::NetworkBounds bounds;
};

}  // namespace

Result closed_result(const ask::ClosedQueues& closed) {
  Table table = table_of(population_fields(closed.network), closed.results);
  table.notes.push_back(knee_note(closed.network));
  return {.schema = "sextant.queue-closed/2",
          .sections = {{.key = "results", .table = std::move(table)}, stations_section(closed.network)},
          .facts = facts_of(network_fields(), closed.network)};
}

Result bounds_result(const ask::ClosedBounds& answer) {
  using R = const BoundsRow&;
  const Fields<BoundsRow> fields = {
      {"population", "users", [](R r) { return Cell(r.population); }, identity},
      {"throughput_bound_per_s", "throughput/s at most",
       [](R r) { return digits_cell(r.bounds.throughput.value); }, essential},
      {"response_bound_s", "response at least", [](R r) { return Cell(r.bounds.response); }, essential},
  };
  std::vector<BoundsRow> rows;
  for (std::size_t i = 0; i < answer.bounds.size(); ++i) {
    rows.push_back({answer.populations[i], answer.bounds[i]});
  }
  Table table = table_of(fields, rows);
  table.notes.push_back(knee_note(answer.network));
  return {.schema = "sextant.queue-bounds/2",
          .sections = {{.key = "bounds", .table = std::move(table)}, stations_section(answer.network)},
          .facts = facts_of(network_fields(), answer.network)};
}

Result laws_result(const ask::QueueLaws& laws) {
  using D = const queueing::Derived&;
  const Fields<queueing::Derived> fields = {
      {"quantity", "quantity", [](D d) { return Cell(d.quantity); }, identity},
      {"value", "value", [](D d) { return digits_cell(d.value); }, essential},
      {"unit", "unit", [](D d) { return Cell(d.unit); }, essential},
      {"law", "law", [](D d) { return Cell(d.law); }},
  };
  return {.schema = "sextant.queue-laws/1",
          .sections = {{.key = "derived", .table = table_of(fields, laws.derived)}}};
}

}  // namespace sextant::report
