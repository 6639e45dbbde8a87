#include "sextant/report/catalog_report.h"

#include <algorithm>

#include "catalog_fields.h"

namespace sextant::report {
namespace {

using catalog::Cpu;
using catalog::Gpu;
using catalog::Link;
using catalog::Machine;
using catalog::Price;
using enum Importance;

Fields<Gpu> gpu_rates() {
  return {
      {"vendor", "vendor", [](const Gpu& g) { return stated(g.vendor); }},
      {"architecture", "architecture", [](const Gpu& g) { return stated(g.architecture); }},
      {"year", "year", [](const Gpu& g) { return stated_number(g.year); }},
      {"sms", "SMs", [](const Gpu& g) { return stated_number(g.sms); }},
      {"cores", "fp32 lanes", [](const Gpu& g) { return stated_number(g.cores); }},
      {"boost_hz", "boost clock", [](const Gpu& g) { return stated(g.boost); }},
      {"sustained_hz", "sustained clock", [](const Gpu& g) { return stated(g.sustained); }},
      {"fp32_flops_per_s", "fp32", [](const Gpu& g) { return Cell(g.fp32); }},
      {"fp16_flops_per_s", "fp16", [](const Gpu& g) { return stated(g.fp16); }},
      {"tensor_fp16_flops_per_s", "fp16 tensor", [](const Gpu& g) { return stated(g.tensor_fp16); }},
      {"tensor_bf16_flops_per_s", "bf16 tensor", [](const Gpu& g) { return stated(g.tensor_bf16); }},
      {"tensor_fp8_flops_per_s", "fp8 tensor", [](const Gpu& g) { return stated(g.tensor_fp8); }},
      {"tensor_fp4_flops_per_s", "fp4 tensor", [](const Gpu& g) { return stated(g.tensor_fp4); }},
      {"tf32_flops_per_s", "tf32", [](const Gpu& g) { return stated(g.tf32); }},
      {"matrix_fp32_flops_per_s", "fp32 matrix", [](const Gpu& g) { return stated(g.matrix_fp32); }},
      {"fp64_flops_per_s", "fp64", [](const Gpu& g) { return stated(g.fp64); }},
  };
}

Fields<Gpu> gpu_fields() {
  const Fields<Gpu> board = {
      {"memory_bytes", "memory", [](const Gpu& g) { return Cell(g.memory); }},
      {"memory_bytes_per_s", "memory bandwidth", [](const Gpu& g) { return Cell(g.memory_bandwidth); }},
      {"memory_kind", "memory kind", [](const Gpu& g) { return stated(g.memory_kind); }},
      {"l2_bytes", "L2", [](const Gpu& g) { return stated(g.l2); }},
      {"link", "link", [](const Gpu& g) { return stated(g.link); }},
      {"link_bytes_per_s", "link bandwidth", [](const Gpu& g) { return stated(g.link_bandwidth); }},
      {"tdp_w", "TDP", [](const Gpu& g) { return stated(g.tdp); }},
  };
  return joined({name_fields<Gpu>("gpu"), gpu_rates(), board, source_fields<Gpu>()});
}

Fields<Cpu> cpu_fields() {
  const Fields<Cpu> socket = {
      {"vendor", "vendor", [](const Cpu& c) { return stated(c.vendor); }},
      {"architecture", "architecture", [](const Cpu& c) { return stated(c.architecture); }},
      {"year", "year", [](const Cpu& c) { return stated_number(c.year); }},
      {"cores", "cores", [](const Cpu& c) { return stated_number(c.cores); }},
      {"threads", "threads", [](const Cpu& c) { return stated_number(c.threads); }},
      {"clock_hz", "clock", [](const Cpu& c) { return Cell(c.clock); }},
      {"fp32_flops_per_s", "fp32", [](const Cpu& c) { return Cell(c.fp32); }},
      {"memory_bytes_per_s", "memory bandwidth", [](const Cpu& c) { return Cell(c.memory_bandwidth); }},
      {"tdp_w", "TDP", [](const Cpu& c) { return stated(c.tdp); }},
  };
  return joined({name_fields<Cpu>("cpu"), socket, source_fields<Cpu>()});
}

Fields<Link> link_fields() {
  const Fields<Link> line = {
      {"kind", "kind", [](const Link& l) { return Cell(to_text(l.kind)); }},
      {"bytes_per_s", "bandwidth", [](const Link& l) { return Cell(l.bandwidth); }},
      {"latency_s", "latency", [](const Link& l) { return Cell(l.latency); }},
  };
  return joined({name_fields<Link>("link"), line, source_fields<Link>()});
}

// For people only where it is unusual.
Cell remarkable(bool value, const std::string& remark) {
  Cell cell(value);
  cell.shown = remark;
  return cell;
}

Cell stated_count(double value) {
  return value == 0 ? Cell() : Cell(value);
}

Fields<Machine> machine_gpu_fields() {
  return {
      {"cloud", "cloud", [](const Machine& m) { return stated(m.cloud); }},
      {"gpu", "gpu", [](const Machine& m) { return stated(m.gpu); }},
      {"gpu_known", "gpu known",
       [](const Machine& m) {
         const bool unknown = !m.gpu.empty() && !m.gpu_known;
         return remarkable(m.gpu_known, unknown ? "no: it is not in the catalogue" : "");
       }},
      {"gpu_count", "GPUs", [](const Machine& m) { return stated_count(m.gpu_count); }},
      {"gpu_memory_bytes", "memory of a GPU", [](const Machine& m) { return stated(m.gpu_memory); }},
      {"accelerator", "accelerator", [](const Machine& m) { return stated(m.accelerator); }},
      {"accelerator_only", "price covers",
       [](const Machine& m) {
         return remarkable(m.accelerator_only,
                           m.accelerator_only ? "the accelerators alone, without a host" : "");
       }},
  };
}

Fields<Machine> machine_host_fields() {
  return {
      {"vcpus", "vCPUs", [](const Machine& m) { return stated_count(m.vcpus); }},
      {"memory_bytes", "memory", [](const Machine& m) { return stated(std::optional(m.memory)); }},
      {"cpu", "cpu", [](const Machine& m) { return stated(m.cpu); }},
      {"link", "link", [](const Machine& m) { return stated(m.gpu_link); }},
      {"network", "network", [](const Machine& m) { return stated(m.node_link); }},
      {"network_bytes_per_s", "network bandwidth",
       [](const Machine& m) { return stated(m.node_link_bandwidth); }},
      {"idle_w", "without work", [](const Machine& m) { return stated(m.idle); }},
      {"busy_w", "more for a busy GPU", [](const Machine& m) { return stated(m.busy); }},
      {"usd_per_hour", "", [](const Machine& m) { return Cell(lowest_on_demand(m)); }, detail},
      {"spot_usd_per_hour", "", [](const Machine& m) { return Cell(lowest_spot(m)); }, detail},
      {"listed", "", [](const Machine& m) { return Cell(m.listed); }, detail},
  };
}

Fields<Machine> machine_fields() {
  return joined({name_fields<Machine>("machine"), machine_gpu_fields(), machine_host_fields(),
                 source_fields<Machine>()});
}

Fields<Price> price_fields() {
  return {
      {"region", "region", [](const Price& p) { return stated(p.region); }},
      {"usd_per_hour", "price", [](const Price& p) { return Cell(p.on_demand); }},
      {"spot_usd_per_hour", "spot", [](const Price& p) { return Cell(p.spot); }},
  };
}

std::string price_text(const Price& price) {
  const std::string on_demand = price.on_demand ? Cell(*price.on_demand).shown : "not sold on demand";
  return on_demand + (price.spot ? ", spot " + Cell(*price.spot).shown : "") +
         (price.region.empty() ? "" : " in " + price.region);
}

}  // namespace

Result list_result(const std::string& kind, Table table) {
  std::string key = kind;
  std::ranges::replace(key, '-', '_');
  return {.schema = "sextant.list-" + kind + "/1", .sections = {{.key = key, .table = std::move(table)}}};
}

Result description_result(const std::string& kind, Table facts) {
  Result result{.schema = "sextant.describe-" + kind + "/1", .facts = std::move(facts)};
  result.sections = {{.table = by_field(result.facts)}};
  return result;
}

Table gpus_table(const catalog::Catalog& catalog) {
  const std::vector<Listed> shown = {{"gpu", "gpu", identity},
                                     {"fp32_flops_per_s", "fp32", essential},
                                     {"tensor_fp16_flops_per_s", "fp16 tensor", essential},
                                     {"memory_bytes", "memory", essential},
                                     {"memory_bytes_per_s", "bandwidth", essential},
                                     {"architecture", "architecture"},
                                     {"tdp_w", "TDP"},
                                     {"year", "year"},
                                     {"name", "name"}};
  return table_of(as_list(gpu_fields(), shown), catalog.gpus.all());
}

Table cpus_table(const catalog::Catalog& catalog) {
  const std::vector<Listed> shown = {
      {"cpu", "cpu", identity}, {"architecture", "architecture"},        {"cores", "cores", essential},
      {"threads", "threads"},   {"fp32_flops_per_s", "fp32", essential}, {"memory_bytes_per_s", "bandwidth"},
      {"name", "name"}};
  return table_of(as_list(cpu_fields(), shown), catalog.cpus.all());
}

Table links_table(const catalog::Catalog& catalog) {
  const std::vector<Listed> shown = {{"link", "link", identity},
                                     {"kind", "kind"},
                                     {"bytes_per_s", "bandwidth", essential},
                                     {"latency_s", "latency", essential},
                                     {"name", "name"}};
  return table_of(as_list(link_fields(), shown), catalog.links.all());
}

Table machines_table(const catalog::Catalog& catalog) {
  const std::vector<Listed> shown = {{"machine", "machine", identity},  {"gpu", "gpu", essential},
                                     {"gpu_count", "GPUs", essential},  {"vcpus", "vCPUs"},
                                     {"memory_bytes", "memory"},        {"usd_per_hour", "from", essential},
                                     {"spot_usd_per_hour", "spot from"}};
  return table_of(as_list(machine_fields(), shown), catalog.machines.all());
}

Result description(const Gpu& gpu) {
  return description_result("gpu", facts_of(gpu_fields(), gpu));
}

Result description(const Cpu& cpu) {
  return description_result("cpu", facts_of(cpu_fields(), cpu));
}

Result description(const Link& link) {
  return description_result("link", facts_of(link_fields(), link));
}

// Prices stand before the source of it all.
Result description(const Machine& machine) {
  Result result = description_result("machine", facts_of(machine_fields(), machine));
  std::vector<std::vector<Cell>>& rows = result.sections[0].table.rows;
  const std::size_t after = by_field(facts_of(source_fields<Machine>(), machine)).rows.size();
  for (const Price& price : machine.prices) {
    rows.insert(rows.end() - static_cast<std::ptrdiff_t>(after), {"price", price_text(price)});
  }
  result.sections.push_back(
      {.key = "prices", .table = table_of(price_fields(), machine.prices), .shown = false});
  return result;
}

}  // namespace sextant::report
