#include "sextant/report/catalog_report.h"

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

// Rows of name and value; what is not stated leaves no row.
class Description {
 public:
  explicit Description(const std::string& id) {
    table_.columns = {{"field", "field"}, {"value", "value"}};
    text("id", id);
  }
  Description& add(const char* name, const Cell& cell) {
    table_.rows.push_back({name, cell});
    return *this;
  }
  Description& text(const char* name, const std::string& value) {
    return value.empty() ? *this : add(name, value);
  }
  Description& texts(const char* name, const std::vector<std::string>& values) {
    return text(name, join(values, ", "));
  }
  Description& count(const char* name, double value) {
    return value == 0 ? *this : add(name, Cell(number_text(value)));
  }
  template <class Quantity>
  Description& quantity(const char* name, const std::optional<Quantity>& value) {
    return value && value->value != 0 ? add(name, Cell(*value)) : *this;
  }
  Table done() { return std::move(table_); }

 private:
  Table table_;
};

std::string input_text(const nets::Network& network) {
  if (network.input == nets::InputKind::tokens) return std::to_string(network.defaults.seq) + " tokens";
  return std::to_string(network.defaults.image) + " px";
}

}  // namespace

Table gpus_table(const catalog::Catalog& catalog) {
  Table table;
  table.columns = {{"gpu", "gpu"},
                   {"architecture", "architecture"},
                   {"year", "year"},
                   {"fp32_flops_per_s", "fp32"},
                   {"tensor_fp16_flops_per_s", "fp16 tensor"},
                   {"memory_bytes", "memory"},
                   {"memory_bytes_per_s", "bandwidth"},
                   {"tdp_w", "TDP"},
                   {"name", "name"}};
  for (const catalog::Gpu& g : catalog.gpus.all()) {
    table.rows.push_back({g.id, g.architecture, g.year == 0 ? Cell() : Cell(std::to_string(g.year)), g.fp32,
                          g.tensor_fp16, g.memory, g.memory_bandwidth, g.tdp, g.name});
  }
  return table;
}

Table cpus_table(const catalog::Catalog& catalog) {
  Table table;
  table.columns = {
      {"cpu", "cpu"},         {"architecture", "architecture"}, {"cores", "cores"},
      {"threads", "threads"}, {"fp32_flops_per_s", "fp32"},     {"memory_bytes_per_s", "bandwidth"},
      {"name", "name"}};
  for (const catalog::Cpu& c : catalog.cpus.all()) {
    table.rows.push_back({c.id, c.architecture, static_cast<std::int64_t>(c.cores),
                          static_cast<std::int64_t>(c.threads), c.fp32, c.memory_bandwidth, c.name});
  }
  return table;
}

Table links_table(const catalog::Catalog& catalog) {
  Table table;
  table.columns = {{"link", "link"},
                   {"kind", "kind"},
                   {"bytes_per_s", "bandwidth"},
                   {"latency_s", "latency"},
                   {"name", "name"}};
  for (const catalog::Link& l : catalog.links.all()) {
    table.rows.push_back({l.id, to_text(l.kind), l.bandwidth, l.latency, l.name});
  }
  return table;
}

Table machines_table(const catalog::Catalog& catalog) {
  Table table;
  table.columns = {{"machine", "machine"},
                   {"gpu", "gpu"},
                   {"gpu_count", "GPUs"},
                   {"vcpus", "vCPUs"},
                   {"memory_bytes", "memory"},
                   {"usd_per_hour", "from"},
                   {"spot_usd_per_hour", "spot from"}};
  for (const catalog::Machine& m : catalog.machines.all()) {
    table.rows.push_back(
        {m.id, m.gpu, m.gpu_count == 0 ? Cell() : Cell(m.gpu_count), m.vcpus == 0 ? Cell() : Cell(m.vcpus),
         m.memory.value == 0 ? Cell() : Cell(m.memory), lowest_on_demand(m), lowest_spot(m)});
  }
  return table;
}

Table networks_table(const Registry<nets::Network>& networks) {
  Table table;
  table.columns = {{"net", "net"}, {"input", "input"}, {"parameters", "parameters"}, {"summary", "summary"}};
  for (const nets::Network& n : networks.all()) {
    table.rows.push_back(
        {n.id, input_text(n), n.documented ? Cell(n.documented->parameters) : Cell(), n.summary});
  }
  return table;
}

Table predictors_table(const Registry<predict::PredictorInfo>& predictors) {
  Table table;
  table.columns = {{"predictor", "predictor"}, {"summary", "summary"}};
  for (const auto& p : predictors.all()) table.rows.push_back({p.id, p.summary});
  return table;
}

Table description(const catalog::Gpu& g) {
  Description d(g.id);
  d.text("name", g.name)
      .texts("aliases", g.aliases)
      .text("vendor", g.vendor)
      .text("architecture", g.architecture);
  d.count("year", g.year).count("SMs", g.sms).count("fp32 lanes", g.cores).quantity("boost clock", g.boost);
  d.quantity("sustained clock", g.sustained);
  d.add("fp32", g.fp32)
      .quantity("fp16", g.fp16)
      .quantity("fp16 tensor", g.tensor_fp16)
      .quantity("tf32", g.tf32);
  d.quantity("fp32 matrix", g.matrix_fp32).quantity("fp64", g.fp64).add("memory", g.memory);
  d.add("memory bandwidth", g.memory_bandwidth).text("memory kind", g.memory_kind);
  d.quantity("L2", g.l2).text("link", g.link);
  d.quantity("link bandwidth", g.link_bandwidth).quantity("TDP", g.tdp);
  return d.text("source", g.source).text("date", g.date).text("notes", g.notes).done();
}

Table description(const catalog::Cpu& c) {
  Description d(c.id);
  d.text("name", c.name)
      .texts("aliases", c.aliases)
      .text("vendor", c.vendor)
      .text("architecture", c.architecture);
  d.count("year", c.year).count("cores", c.cores).count("threads", c.threads).add("clock", c.clock);
  d.add("fp32", c.fp32).add("memory bandwidth", c.memory_bandwidth).quantity("TDP", c.tdp);
  return d.text("source", c.source).text("date", c.date).text("notes", c.notes).done();
}

Table description(const catalog::Link& l) {
  Description d(l.id);
  d.text("name", l.name).texts("aliases", l.aliases).text("kind", to_text(l.kind));
  d.add("bandwidth", l.bandwidth).add("latency", l.latency);
  return d.text("source", l.source).text("date", l.date).text("notes", l.notes).done();
}

Table description(const catalog::Machine& m) {
  Description d(m.id);
  d.text("name", m.name).texts("aliases", m.aliases).text("cloud", m.cloud).text("gpu", m.gpu);
  if (!m.gpu.empty() && !m.gpu_known) d.text("gpu known", "no: it is not in the catalogue");
  d.count("GPUs", m.gpu_count).quantity("memory of a GPU", m.gpu_memory).text("accelerator", m.accelerator);
  if (m.accelerator_only) d.text("price covers", "the accelerators alone, without a host");
  d.count("vCPUs", m.vcpus)
      .quantity("memory", std::optional(m.memory))
      .text("cpu", m.cpu)
      .text("link", m.link);
  d.text("network", m.network).quantity("network bandwidth", m.network_bandwidth);
  for (const catalog::Price& price : m.prices) {
    const std::string on_demand = price.on_demand ? Cell(*price.on_demand).shown : "not sold on demand";
    d.text("price", on_demand + (price.spot ? ", spot " + Cell(*price.spot).shown : "") +
                        (price.region.empty() ? "" : " in " + price.region));
  }
  return d.text("source", m.source).text("date", m.date).text("notes", m.notes).done();
}

Table description(const nets::Network& n) {
  Description d(n.id);
  d.texts("aliases", n.aliases).text("summary", n.summary).text("reference", n.reference);
  d.text("default input", input_text(n));
  if (n.defaults.classes != 0) d.add("default classes", n.defaults.classes);
  if (n.input == nets::InputKind::image) d.add("smallest image", n.defaults.smallest_image);
  if (n.documented) {
    d.add("documented parameters", n.documented->parameters);
    if (n.documented->macs != 0) d.add("documented MACs", n.documented->macs);
    d.text("documented by", n.documented->source);
  }
  return d.done();
}

Table description(const PluginInfo& plugin) {
  Description d(plugin.id);
  d.text("summary", plugin.summary).text("reference", plugin.reference);
  for (const auto& p : plugin.parameters) {
    if (p.type == ParameterType::text) {
      d.text("parameter", p.name + ": " + p.summary);
      continue;
    }
    d.text("parameter", p.name + ": " + p.summary + " (default " + number_text(p.fallback) + ", from " +
                            number_text(p.low) + " to " + number_text(p.high) + ")");
  }
  return d.done();
}

}  // namespace sextant::report
