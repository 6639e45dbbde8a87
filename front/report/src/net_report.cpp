#include "sextant/report/net_report.h"

#include <array>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

using ask::NetSummary;
using enum Importance;
using nets::OpCost;

struct NetOperator {
  std::size_t id = 0;
  const nets::Node& node;
  const OpCost& cost;
  const nets::Graph& graph;
};

std::string input_ids(const nets::Node& node) {
  std::string ids;
  for (const nets::NodeId id : node.inputs) ids += (ids.empty() ? "" : ",") + std::to_string(id);
  return ids;
}

// Titles of an operator's columns and of the totals; without one a cost is for files.
using CostTitles = std::array<const char*, 9>;
constexpr CostTitles kOperatorTitles = {"parameters",     "", "MACs", "forward", "backward", "bytes forward",
                                        "bytes backward", "", "saved"};
constexpr CostTitles kTotalTitles = {"parameters",       "statistics",    "MACs forward",   "FLOPs forward",
                                     "FLOPs backward",   "bytes forward", "bytes backward", "",
                                     "kept for backward"};

Fields<OpCost> net_cost_fields(const CostTitles& titles) {
  Fields<OpCost> fields = {
      {"parameters", "", [](const OpCost& c) { return Cell(c.parameters); }},
      {"statistics", "", [](const OpCost& c) { return Cell(c.statistics); }},
      {"macs", "", [](const OpCost& c) { return Cell(c.macs); }},
      {"forward_flops", "", [](const OpCost& c) { return Cell(c.forward); }},
      {"backward_flops", "", [](const OpCost& c) { return Cell(c.backward); }},
      {"forward_bytes", "", [](const OpCost& c) { return Cell(c.forward_bytes); }},
      {"backward_bytes", "", [](const OpCost& c) { return Cell(c.backward_bytes); }},
      {"output_bytes", "", [](const OpCost& c) { return Cell(c.output); }},
      {"saved_bytes", "", [](const OpCost& c) { return Cell(c.saved); }},
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].title = titles.at(i);
    const bool first = fields[i].key == "parameters" || fields[i].key == "macs";
    fields[i].importance = fields[i].title.empty() ? detail : (first ? essential : usual);
  }
  return fields;
}

Fields<NetOperator> net_operator_fields() {
  const Fields<NetOperator> place = {
      {"id", "id", [](const NetOperator& o) { return Cell(static_cast<std::int64_t>(o.id)); }, identity},
      {"name", "name", [](const NetOperator& o) { return Cell(o.node.name); }, identity},
      {"type", "type", [](const NetOperator& o) { return Cell(type_name(o.node.op)); }, essential},
      {"inputs", "inputs",
       [](const NetOperator& o) { return Cell::nested(o.node.inputs, input_ids(o.node)); }},
      {"input_shapes", "", [](const NetOperator& o) { return Cell::nested(o.graph.input_shapes(o.node)); },
       detail},
      {"output_shape", "output",
       [](const NetOperator& o) { return Cell::nested(o.node.output, nets::to_string(o.node.output)); }},
  };
  return joined({place, of_part<NetOperator, OpCost>(net_cost_fields(kOperatorTitles),
                                                     [](const NetOperator& o) { return &o.cost; })});
}

Fields<NetSummary> net_size_fields() {
  return {
      {"net", "", [](const NetSummary& s) { return Cell(s.network.id); }, detail},
      {"batch", "", [](const NetSummary& s) { return Cell(s.sizes.batch); }, detail},
      {"image", "",
       [](const NetSummary& s) {
         return s.network.input == nets::InputKind::image ? Cell(s.sizes.image) : Cell();
       },
       detail},
      {"seq", "",
       [](const NetSummary& s) {
         return s.network.input == nets::InputKind::tokens ? Cell(s.sizes.seq) : Cell();
       },
       detail},
      {"classes", "", [](const NetSummary& s) { return Cell(s.sizes.classes); }, detail},
      {"precision", "", [](const NetSummary& s) { return Cell(to_string(s.precision)); }, detail},
      {"unknown_operators", "", [](const NetSummary& s) { return Cell::nested(unknown_operators(s.graph)); },
       detail},
  };
}

Fields<NetSummary> net_fields() {
  return joined(
      {net_size_fields(),
       Fields<NetSummary>{
           {"totals.operators", "operators",
            [](const NetSummary& s) { return Cell(static_cast<std::int64_t>(s.graph.nodes.size())); }}},
       of_part<NetSummary, OpCost>(
           net_cost_fields(kTotalTitles), [](const NetSummary& s) { return &s.cost.total; }, "totals."),
       Fields<NetSummary>{{"totals.live_peak_bytes", "live peak, forward only",
                           [](const NetSummary& s) { return Cell(s.cost.live_peak); }}}});
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

Result net_result(const NetSummary& s) {
  std::vector<NetOperator> operators;
  for (std::size_t i = 0; i < s.graph.nodes.size(); ++i) {
    operators.push_back({i, s.graph.nodes[i], s.cost.ops[i], s.graph});
  }
  Result result{.schema = "sextant.net-summary/2", .facts = facts_of(net_fields(), s)};
  result.sections = {{.key = "operators", .table = table_of(net_operator_fields(), operators)},
                     {.table = by_field(result.facts, {{"quantity", "total", identity},
                                                       {"value", s.network.id, essential}})}};
  return result;
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
