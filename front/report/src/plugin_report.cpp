// Networks of the zoo and plug-ins: what they say about themselves.
#include <nlohmann/json.hpp>

#include "catalog_fields.h"
#include "sextant/nets/decoder.h"
#include "sextant/report/catalog_report.h"

namespace sextant::report {
namespace {

using enum Importance;
using nets::Network;

std::string input_text(const Network& network) {
  if (network.input == nets::InputKind::tokens) return std::to_string(network.defaults.seq) + " tokens";
  return std::to_string(network.defaults.image) + " px";
}

Cell stated_total(std::int64_t total) {
  return total == 0 ? Cell() : Cell(total);
}

// Of a transformer.
Cell size_cell(const Network& network, std::int64_t nets::Decoder::*size) {
  return network.decoder ? stated_total((*network.decoder).*size) : Cell();
}

Fields<Network> zoo_fields() {
  using nets::Decoder;
  return {
      {"net", "id", [](const Network& n) { return Cell(n.id); }},
      {"aliases", "aliases", [](const Network& n) { return stated(n.aliases); }},
      {"summary", "summary", [](const Network& n) { return stated(n.summary); }},
      {"reference", "reference", [](const Network& n) { return stated(n.reference); }},
      {"input", "default input", [](const Network& n) { return Cell(input_text(n)); }},
      {"classes", "default classes", [](const Network& n) { return stated_total(n.defaults.classes); }},
      {"layers", "layers", [](const Network& n) { return size_cell(n, &Decoder::layers); }},
      {"hidden", "width", [](const Network& n) { return size_cell(n, &Decoder::hidden); }},
      {"heads", "heads", [](const Network& n) { return size_cell(n, &Decoder::heads); }},
      {"kv_heads", "heads of keys", [](const Network& n) { return size_cell(n, &Decoder::kv_heads); }},
      {"ffn", "width of the MLP", [](const Network& n) { return size_cell(n, &Decoder::ffn); }},
      {"vocab", "vocabulary", [](const Network& n) { return size_cell(n, &Decoder::vocab); }},
      {"experts", "experts", [](const Network& n) { return size_cell(n, &Decoder::experts); }},
      {"smallest_image", "smallest image",
       [](const Network& n) {
         return n.input == nets::InputKind::image ? Cell(n.defaults.smallest_image) : Cell();
       }},
      {"parameters", "documented parameters",
       [](const Network& n) { return n.documented ? Cell(n.documented->parameters) : Cell(); }},
      {"macs", "documented MACs",
       [](const Network& n) { return n.documented ? stated_total(n.documented->macs) : Cell(); }},
      {"documented_by", "documented by",
       [](const Network& n) { return n.documented ? stated(n.documented->source) : Cell(); }},
  };
}

Fields<PluginInfo> plugin_fields(const std::string& kind) {
  return {
      {kind, "id", [](const PluginInfo& p) { return Cell(p.id); }},
      {"summary", "summary", [](const PluginInfo& p) { return stated(p.summary); }},
      {"reference", "reference", [](const PluginInfo& p) { return stated(p.reference); }},
  };
}

// Texts have neither a default nor bounds.
Cell parameter_bound(const ParameterInfo& p, double ParameterInfo::*value) {
  return p.type == ParameterType::text ? Cell() : Cell(p.*value);
}

Fields<ParameterInfo> plugin_parameter_fields() {
  return {
      {"name", "name", [](const ParameterInfo& p) { return Cell(p.name); }},
      {"summary", "summary", [](const ParameterInfo& p) { return Cell(p.summary); }},
      {"default", "default",
       [](const ParameterInfo& p) { return parameter_bound(p, &ParameterInfo::fallback); }},
      {"low", "from", [](const ParameterInfo& p) { return parameter_bound(p, &ParameterInfo::low); }},
      {"high", "to", [](const ParameterInfo& p) { return parameter_bound(p, &ParameterInfo::high); }},
  };
}

std::string parameter_text(const ParameterInfo& p) {
  const std::string text = p.name + ": " + p.summary;
  if (p.type == ParameterType::text) return text;
  return text + " (default " + number_text(p.fallback) + ", from " + number_text(p.low) + " to " +
         number_text(p.high) + ")";
}

}  // namespace

Table networks_table(const Registry<Network>& networks) {
  const std::vector<Listed> shown = {{"net", "net", identity},
                                     {"input", "input"},
                                     {"parameters", "parameters", essential},
                                     {"summary", "summary", essential}};
  return table_of(as_list(zoo_fields(), shown), networks.all());
}

Fields<PluginInfo> plugin_list_fields(const std::string& kind) {
  return as_list(plugin_fields(kind), {{kind, kind, identity}, {"summary", "summary", essential}});
}

Result description(const Network& network) {
  return description_result("net", facts_of(zoo_fields(), network));
}

Result description(const std::string& kind, const PluginInfo& plugin) {
  Result result = description_result(kind, facts_of(plugin_fields(kind), plugin));
  for (const ParameterInfo& p : plugin.parameters) {
    result.sections[0].table.rows.push_back({"parameter", parameter_text(p)});
  }
  result.sections.push_back(
      {.key = "parameters", .table = table_of(plugin_parameter_fields(), plugin.parameters), .shown = false});
  return result;
}

}  // namespace sextant::report
