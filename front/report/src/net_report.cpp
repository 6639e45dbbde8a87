#include "sextant/report/net_report.h"

#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

std::string input_ids(const nets::Node& node) {
  std::string ids;
  for (const nets::NodeId id : node.inputs) ids += (ids.empty() ? "" : ",") + std::to_string(id);
  return ids;
}

Json cost_json(const nets::OpCost& op) {
  return {{"parameters", op.parameters},
          {"statistics", op.statistics},
          {"macs", op.macs},
          {"forward_flops", op.forward.value},
          {"backward_flops", op.backward.value},
          {"forward_bytes", op.forward_bytes.value},
          {"backward_bytes", op.backward_bytes.value},
          {"output_bytes", op.output.value},
          {"saved_bytes", op.saved.value}};
}

Json sizes_json(const ask::NetSummary& s) {
  Json json = {{"batch", s.sizes.batch}};
  if (s.network.input == nets::InputKind::image) json["image"] = s.sizes.image;
  if (s.network.input == nets::InputKind::tokens) json["seq"] = s.sizes.seq;
  json["classes"] = s.sizes.classes;
  json["precision"] = to_string(s.precision);
  return json;
}

std::string dot_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Table operators_table(const ask::NetSummary& s) {
  Table table;
  table.columns = {{"id", "id"},
                   {"name", "name"},
                   {"type", "type"},
                   {"inputs", "inputs"},
                   {"output_shape", "output"},
                   {"parameters", "parameters"},
                   {"macs", "MACs"},
                   {"forward_flops", "forward"},
                   {"backward_flops", "backward"},
                   {"forward_bytes", "bytes forward"},
                   {"backward_bytes", "bytes backward"},
                   {"saved_bytes", "saved"}};
  for (std::size_t i = 0; i < s.graph.nodes.size(); ++i) {
    const nets::Node& node = s.graph.nodes[i];
    const nets::OpCost& op = s.cost.ops[i];
    table.rows.push_back({static_cast<std::int64_t>(i), node.name, type_name(node.op), input_ids(node),
                          nets::to_string(node.output), op.parameters, op.macs, op.forward, op.backward,
                          op.forward_bytes, op.backward_bytes, op.saved});
  }
  return table;
}

Table totals_table(const ask::NetSummary& s) {
  const nets::OpCost& total = s.cost.total;
  Table table;
  table.columns = {{"quantity", "total"}, {"value", s.network.id}};
  table.rows = {{"operators", static_cast<std::int64_t>(s.graph.nodes.size())},
                {"parameters", total.parameters},
                {"statistics", total.statistics},
                {"MACs forward", total.macs},
                {"FLOPs forward", total.forward},
                {"FLOPs backward", total.backward},
                {"bytes forward", total.forward_bytes},
                {"bytes backward", total.backward_bytes},
                {"kept for backward", total.saved},
                {"live peak, forward only", s.cost.live_peak}};
  return table;
}

Json to_json(const ask::NetSummary& s) {
  Json operators = Json::array();
  for (std::size_t i = 0; i < s.graph.nodes.size(); ++i) {
    const nets::Node& node = s.graph.nodes[i];
    Json op = {{"id", i},
               {"name", node.name},
               {"type", type_name(node.op)},
               {"inputs", node.inputs},
               {"input_shapes", s.graph.input_shapes(node)},
               {"output_shape", node.output}};
    op.update(cost_json(s.cost.ops[i]));
    operators.push_back(std::move(op));
  }
  Json totals = {{"operators", s.graph.nodes.size()}};
  totals.update(cost_json(s.cost.total));
  totals["live_peak_bytes"] = s.cost.live_peak.value;
  Json json = {{"schema", "sextant.net-summary/1"}, {"net", s.network.id}};
  json.update(sizes_json(s));
  json["totals"] = std::move(totals);
  json["unknown_operators"] = unknown_operators(s.graph);
  json["operators"] = std::move(operators);
  return json;
}

std::string to_dot(const nets::Graph& graph) {
  std::string dot =
      "digraph \"" + dot_escaped(graph.name) + "\" {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    dot += "  n" + std::to_string(i) + " [label=\"" + dot_escaped(node.name) + "\\n" +
           dot_escaped(type_name(node.op)) + " " + nets::to_string(node.output) + "\"];\n";
    for (const nets::NodeId id : node.inputs)
      dot += "  n" + std::to_string(id) + " -> n" + std::to_string(i) + ";\n";
  }
  return dot + "}\n";
}

}  // namespace sextant::report
