#include <cmath>
#include <nlohmann/json.hpp>

#include "coefficients.h"
#include "sextant/core/json_place.h"

namespace sextant::scaling {
namespace {

constexpr double kMostValue = 1e4;  // of a logarithm, and of everything else but counts: more is damage

Json values_json(const ScalingValues& values) {
  Json json = Json::object();
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (values[c] != 0) json[kPriors[c].name] = values[c];
  }
  return json;
}

Json width_json(const ScalingWidth& width) {
  return Json::array({width.low, width.high});
}

Json cell_json(const std::pair<std::string, std::string>& key, const ScalingCell& cell) {
  Json knots = Json::array();
  for (const auto& knot : cell.knots) knots.push_back(Json::array({knot.log_batch, knot.departure}));
  return {{"network", key.first},
          {"cluster", key.second},
          {"rows", cell.rows},
          {"most_gpus", cell.most_gpus},
          {"spread", cell.spread},
          {"fixed_here", cell.fixed_here},
          {"departures", values_json(cell.effects)},
          {"log_batch_knots", std::move(knots)}};
}

Json errors_json(const ScalingErrors& errors) {
  Json json = {{"fitted", errors.fitted}};
  if (errors.more_gpus) json["more_gpus"] = *errors.more_gpus;
  if (errors.new_network) json["new_network"] = *errors.new_network;
  return json;
}

const Json& field(const Json& object, const char* name) {
  if (!object.is_object()) throw JsonFault(object, name, "is missing: what should hold it is not an object");
  const auto found = object.find(name);
  if (found == object.end()) throw JsonFault(object, name, "is missing");
  return *found;
}

double number_of(const Json& value, const char* name) {
  if (!value.is_number()) throw JsonFault::at_value(value, name, "is not a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number) || std::abs(number) > kMostValue)
    throw JsonFault::at_value(value, name, "is out of range");
  return number;
}

double number(const Json& object, const char* name) {
  return number_of(field(object, name), name);
}

int count(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_number_integer()) throw JsonFault(object, name, "is not a count");
  const double n = value.get<double>();
  if (n < 0 || n > 1e9) throw JsonFault(object, name, "is out of range");
  return static_cast<int>(n);
}

std::string text(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_string()) throw JsonFault(object, name, "is not a text");
  return value.get<std::string>();
}

double spread(const Json& object) {
  const double value = number(object, "spread");
  if (value <= 0) throw JsonFault(object, "spread", "is not positive");
  return value;
}

// A coefficient of another name is from another version of the law: it is not passed over.
ScalingValues values_of(const Json& object, const char* name) {
  ScalingValues values{};
  const Json& given = field(object, name);
  if (!given.is_object()) throw JsonFault(object, name, "is not an object");
  for (const auto& [key, value] : given.items()) {
    bool found = false;
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (key != kPriors[c].name) continue;
      values[c] = number_of(value, kPriors[c].name);
      found = true;
    }
    if (!found) throw JsonFault(object, name, "has no coefficient '" + key + "'");
  }
  return values;
}

std::pair<double, double> pair_of(const Json& value, const char* name) {
  if (!value.is_array() || value.size() != 2)
    throw JsonFault::at_value(value, name, "is not a pair of numbers");
  return {number_of(value[0], name), number_of(value[1], name)};
}

ScalingWidth width_of(const Json& object, const char* name) {
  const auto [low, high] = pair_of(field(object, name), name);
  return {low, high};
}

ScalingCluster cluster_of(const Json& json) {
  ScalingCluster cluster{.effects = values_of(json, "departures"),
                         .log_fixed = number(json, "log_fixed"),
                         .log_sync = {},
                         .most_gpus = count(json, "most_gpus"),
                         .most_nodes = count(json, "most_nodes")};
  if (json.contains("log_sync")) cluster.log_sync = number(json, "log_sync");
  return cluster;
}

ScalingNet net_of(const Json& json) {
  const Json& parallel = field(json, "parallel");
  if (!parallel.is_boolean()) throw JsonFault(json, "parallel", "is not true or false");
  return {.effects = values_of(json, "departures"),
          .fixed = number(json, "fixed"),
          .sync = number(json, "sync"),
          .parallel = parallel.get<bool>(),
          .growth = number(json, "growth")};
}

ScalingCell cell_of(const Json& json) {
  ScalingCell cell{.effects = values_of(json, "departures"),
                   .knots = {},
                   .fixed_here = number(json, "fixed_here"),
                   .spread = spread(json),
                   .rows = count(json, "rows"),
                   .most_gpus = count(json, "most_gpus")};
  const Json& knots = field(json, "log_batch_knots");
  if (!knots.is_array()) throw JsonFault(json, "log_batch_knots", "is not a list");
  for (const auto& knot : knots) {
    const auto [at, departure] = pair_of(knot, "log_batch_knots");
    if (!cell.knots.empty() && at <= cell.knots.back().log_batch)
      throw JsonFault(json, "log_batch_knots", "does not ascend");
    cell.knots.push_back({at, departure});
  }
  return cell;
}

void read_cells(const Json& json, ScalingModel& model) {
  const Json& cells = field(json, "cells");
  if (!cells.is_array()) throw JsonFault(json, "cells", "is not a list");
  for (const auto& cell : cells) {
    const std::pair key{text(cell, "network"), text(cell, "cluster")};
    if (!model.nets.contains(key.first) || !model.clusters.contains(key.second)) {
      throw JsonFault(json, "cells", "names '" + key.first + "' on '" + key.second + "', which is not there");
    }
    model.cells.insert_or_assign(key, cell_of(cell));
  }
}

ScalingErrors errors_of(const Json& json) {
  ScalingErrors errors{.fitted = number(json, "fitted")};
  if (json.contains("more_gpus")) errors.more_gpus = number(json, "more_gpus");
  if (json.contains("new_network")) errors.new_network = number(json, "new_network");
  return errors;
}

ScalingModel read(const Json& json) {
  if (!is_scaling_model(json))
    throw JsonFault(json, "schema", "is not '" + std::string(kScalingSchema) + "'");
  ScalingModel model;
  model.rows = count(json, "rows");
  model.shared = values_of(json, "shared");
  model.sync_per_fixed = number(json, "sync_per_fixed");
  model.spread = spread(json);
  const Json& widths = field(json, "widths");
  model.inside = width_of(widths, "inside");
  model.more_gpus = width_of(widths, "more_gpus");
  model.new_network = width_of(widths, "new_network");
  model.errors = errors_of(field(json, "errors"));
  const Json& clusters = field(json, "clusters");
  const Json& nets = field(json, "networks");
  if (!clusters.is_object() || !nets.is_object())
    throw JsonFault(json, clusters.is_object() ? "networks" : "clusters", "is not an object");
  for (const auto& [name, cluster] : clusters.items())
    model.clusters.insert_or_assign(name, cluster_of(cluster));
  for (const auto& [name, net] : nets.items()) model.nets.insert_or_assign(name, net_of(net));
  read_cells(json, model);
  return model;
}

}  // namespace

Json to_json(const ScalingModel& model) {
  Json clusters = Json::object();
  for (const auto& [name, cluster] : model.clusters) {
    Json& json = clusters[name] = {{"most_gpus", cluster.most_gpus},
                                   {"most_nodes", cluster.most_nodes},
                                   {"log_fixed", cluster.log_fixed}};
    if (cluster.log_sync) json["log_sync"] = *cluster.log_sync;
    json["departures"] = values_json(cluster.effects);
  }
  Json nets = Json::object();
  for (const auto& [name, net] : model.nets) {
    nets[name] = {{"parallel", net.parallel},
                  {"fixed", net.fixed},
                  {"sync", net.sync},
                  {"growth", net.growth},
                  {"departures", values_json(net.effects)}};
  }
  Json cells = Json::array();
  for (const auto& [key, cell] : model.cells) cells.push_back(cell_json(key, cell));
  return {{"schema", kScalingSchema},
          {"rows", model.rows},
          {"errors", errors_json(model.errors)},
          {"widths",
           {{"inside", width_json(model.inside)},
            {"more_gpus", width_json(model.more_gpus)},
            {"new_network", width_json(model.new_network)}}},
          {"spread", model.spread},
          {"sync_per_fixed", model.sync_per_fixed},
          {"shared", values_json(model.shared)},
          {"clusters", std::move(clusters)},
          {"networks", std::move(nets)},
          {"cells", std::move(cells)}};
}

bool is_scaling_model(const Json& json) {
  if (!json.is_object()) return false;
  const auto schema = json.find("schema");
  return schema != json.end() && schema->is_string() && schema->get<std::string>() == kScalingSchema;
}

ScalingModel scaling_from_json(const Json& json, const std::string& file) {
  return read_document(json, file, "'sextant fit --method scaling' makes a scaling model",
                       [](const Json& document) { return read(document); });
}

}  // namespace sextant::scaling
