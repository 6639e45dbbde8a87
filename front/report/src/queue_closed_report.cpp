// Closed networks and operational laws.
#include <nlohmann/json.hpp>

#include "queue_cells.h"
#include "sextant/report/queue_report.h"

namespace sextant::report {
namespace {

std::string knee_note(const queueing::ClosedNetwork& network) {
  return "Bottleneck " + network.stations[bottleneck(network)].name + "; users queue from about " +
         digits_cell(knee(network)).shown + " on.";
}

Json bounds_json(const queueing::NetworkBounds& bounds) {
  return {{"throughput_per_s", number_or_null(bounds.throughput.value)},
          {"response_s", number_or_null(bounds.response.value)}};
}

Json network_json(const queueing::ClosedNetwork& network, const char* schema) {
  Json json = {{"schema", schema}, {"think_s", network.think.value}};
  json["knee_users"] = number_or_null(knee(network));
  json["bottleneck"] = network.stations[bottleneck(network)].name;
  json["stations"] = Json::array();
  for (const auto& station : network.stations) {
    json["stations"].push_back({{"name", station.name},
                                {"demand_s", station.demand.value},
                                {"kind", station.kind == queueing::StationKind::delay ? "delay" : "queue"},
                                {"servers", station.servers}});
  }
  return json;
}

}  // namespace

Table closed_table(const queueing::ClosedNetwork& network,
                   const std::vector<queueing::ClosedResult>& results) {
  Table table;
  table.columns = {{"population", "users"},
                   {"throughput_per_s", "throughput/s"},
                   {"throughput_bound_per_s", "at most"},
                   {"response_s", "response"},
                   {"response_bound_s", "at least"}};
  for (const auto& station : network.stations) {
    table.columns.push_back({station.name + "_residence_s", station.name + " time"});
    table.columns.push_back({station.name + "_number", "number"});
    table.columns.push_back({station.name + "_utilisation", "util."});
  }
  for (const auto& result : results) {
    std::vector<Cell> cells = {result.population, digits_cell(result.throughput.value),
                               digits_cell(result.bounds.throughput.value), Cell(result.response),
                               Cell(result.bounds.response)};
    for (const auto& station : result.stations) {
      cells.emplace_back(station.residence);
      cells.push_back(digits_cell(station.in_station));
      cells.push_back(digits_cell(station.utilisation));
    }
    table.rows.push_back(std::move(cells));
  }
  table.notes.push_back(knee_note(network));
  return table;
}

Json closed_json(const queueing::ClosedNetwork& network, const std::vector<queueing::ClosedResult>& results) {
  Json json = network_json(network, "sextant.queue-closed/1");
  json["multi_server"] = network.multi_server == queueing::MultiServer::exact ? "exact" : "seidmann";
  json["results"] = Json::array();
  for (const auto& result : results) {
    Json one = {{"population", result.population},
                {"throughput_per_s", result.throughput.value},
                {"response_s", result.response.value},
                {"bounds", bounds_json(result.bounds)}};
    one["stations"] = Json::array();
    for (const auto& station : result.stations) {
      one["stations"].push_back({{"residence_s", station.residence.value},
                                 {"in_station", station.in_station},
                                 {"utilisation", station.utilisation}});
    }
    json["results"].push_back(std::move(one));
  }
  return json;
}

Table laws_table(const std::vector<queueing::Derived>& derived) {
  Table table;
  table.columns = {{"quantity", "quantity"}, {"value", "value"}, {"unit", "unit"}, {"law", "law"}};
  for (const auto& one : derived) {
    table.rows.push_back({one.quantity, digits_cell(one.value), one.unit, one.law});
  }
  return table;
}

Json laws_json(const std::vector<queueing::Derived>& derived) {
  Json json = {{"schema", "sextant.queue-laws/1"}};
  json["derived"] = Json::array();
  for (const auto& one : derived) {
    json["derived"].push_back({{"quantity", one.quantity},
                               {"value", number_or_null(one.value)},
                               {"unit", one.unit},
                               {"law", one.law}});
  }
  return json;
}

Table bounds_table(const ask::ClosedBounds& answer) {
  Table table;
  table.columns = {{"population", "users"},
                   {"throughput_bound_per_s", "throughput/s at most"},
                   {"response_bound_s", "response at least"}};
  for (std::size_t i = 0; i < answer.bounds.size(); ++i) {
    const queueing::NetworkBounds& bounds = answer.bounds[i];
    table.rows.push_back(
        {answer.populations[i], digits_cell(bounds.throughput.value), Cell(bounds.response)});
  }
  table.notes.push_back(knee_note(answer.network));
  return table;
}

Json bounds_json(const ask::ClosedBounds& answer) {
  Json json = network_json(answer.network, "sextant.queue-bounds/1");
  json["bounds"] = Json::array();
  for (std::size_t i = 0; i < answer.bounds.size(); ++i) {
    Json one = {{"population", answer.populations[i]}};
    one.update(bounds_json(answer.bounds[i]));
    json["bounds"].push_back(std::move(one));
  }
  return json;
}

}  // namespace sextant::report
