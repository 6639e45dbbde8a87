#include "catalog_toml.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "fields.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::catalog {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr double kMostMachineGpus = 4096;

struct FileDefaults {
  std::string source, date, cloud;
  bool listed = true;
};

// The part that every kind of entry has.
template <class Item>
void read_origin(TomlSection& section, const FileDefaults& defaults, Item& item) {
  item.aliases = read_aliases(section);
  item.source = section.maybe_text("source").value_or(defaults.source);
  item.date = section.maybe_text("date").value_or(defaults.date);
  if (section.has("date")) check_date(item.date, section.where("date"));
  item.notes = section.maybe_text("notes").value_or("");
}

template <class Item>
void read_identity(TomlSection& section, const FileDefaults& defaults, Item& item) {
  item.id = read_id(section);
  item.name = section.maybe_text("name").value_or(item.id);
  read_origin(section, defaults, item);
}

// What the bandwidth of the chips is worth depends on it, so a misspelt kind must not pass for none.
std::string read_memory_kind(TomlSection& section) {
  static const std::vector<std::string> known = {"hbm", "gddr", "gddr-ecc", "lpddr"};
  const auto kind = section.maybe_text("memory_kind");
  if (!kind) return {};
  if (std::ranges::find(known, *kind) != known.end()) return *kind;
  throw InputError(section.where("memory_kind"), "unknown kind of memory '" + *kind + "'",
                   "one of: " + join(known, ", "));
}

// Beside the catalogue file that names it.
std::string read_calibration(TomlSection& section) {
  const auto name = section.maybe_text("calibration");
  if (!name || name->empty()) return {};
  return (std::filesystem::path(section.where().file).parent_path() / *name).string();
}

Gpu read_gpu(TomlSection& section, const FileDefaults& defaults) {
  Gpu gpu;
  read_identity(section, defaults, gpu);
  gpu.vendor = section.maybe_text("vendor").value_or("");
  gpu.architecture = section.maybe_text("architecture").value_or("");
  gpu.year = maybe_count(section, "year");
  gpu.sms = maybe_count(section, "sms");
  gpu.cores = maybe_count(section, "cores");
  gpu.boost = maybe_positive(section, "boost", parse_hertz);
  gpu.sustained = maybe_positive(section, "sustained", parse_hertz);
  gpu.fp32 = positive(section, "fp32", parse_flop_rate);
  gpu.fp16 = maybe_positive(section, "fp16", parse_flop_rate);
  gpu.tensor_fp16 = maybe_positive(section, "tensor_fp16", parse_flop_rate);
  gpu.tensor_bf16 = maybe_positive(section, "tensor_bf16", parse_flop_rate);
  gpu.tensor_fp8 = maybe_positive(section, "tensor_fp8", parse_flop_rate);
  gpu.tensor_fp4 = maybe_positive(section, "tensor_fp4", parse_flop_rate);
  gpu.tf32 = maybe_positive(section, "tf32", parse_flop_rate);
  gpu.matrix_fp32 = maybe_positive(section, "matrix_fp32", parse_flop_rate);
  gpu.fp64 = maybe_positive(section, "fp64", parse_flop_rate);
  gpu.memory = positive(section, "memory", parse_bytes);
  gpu.memory_bandwidth = positive(section, "memory_bandwidth", parse_bandwidth);
  gpu.memory_kind = read_memory_kind(section);
  gpu.l2 = maybe_positive(section, "l2", parse_bytes);
  gpu.link = section.maybe_text("link").value_or("");
  gpu.link_bandwidth = maybe_positive(section, "link_bandwidth", parse_bandwidth);
  gpu.tdp = maybe_positive(section, "tdp", parse_watts);
  gpu.calibration = read_calibration(section);
  return gpu;
}

Cpu read_cpu(TomlSection& section, const FileDefaults& defaults) {
  Cpu cpu;
  read_identity(section, defaults, cpu);
  cpu.vendor = section.maybe_text("vendor").value_or("");
  cpu.architecture = section.maybe_text("architecture").value_or("");
  cpu.year = maybe_count(section, "year");
  cpu.cores = maybe_count(section, "cores");
  cpu.threads = maybe_count(section, "threads");
  cpu.clock = positive(section, "clock", parse_hertz);
  cpu.fp32 = positive(section, "fp32", parse_flop_rate);
  cpu.memory_bandwidth = positive(section, "memory_bandwidth", parse_bandwidth);
  cpu.tdp = maybe_positive(section, "tdp", parse_watts);
  return cpu;
}

LinkKind read_link_kind(TomlSection& section) {
  const std::string kind = section.text("kind");
  for (const auto known : {LinkKind::intra_node, LinkKind::network}) {
    if (kind == to_text(known)) return known;
  }
  throw InputError(section.where("kind"), "unknown kind of link '" + kind + "'",
                   "one of: intra-node, network");
}

Link read_link(TomlSection& section, const FileDefaults& defaults) {
  Link link;
  read_identity(section, defaults, link);
  link.kind = read_link_kind(section);
  link.bandwidth = positive(section, "bandwidth", parse_bandwidth);
  link.latency = positive(section, "latency", parse_seconds);
  return link;
}

// A machine that one owns may cost nothing, so zero is a price.
std::optional<DollarRate> maybe_price(TomlSection& section, std::string_view key) {
  if (!has_key(section, key)) return std::nullopt;
  return parse_dollar_rate(section.scalar(key), section.where(key));
}

std::vector<Price> read_prices(TomlSection& machine) {
  std::vector<Price> prices;
  for (auto& section : machine.sections("prices")) {
    prices.push_back(
        {section.text("region"), maybe_price(section, "on_demand"), maybe_price(section, "spot")});
    section.finish();
    if (prices.back().on_demand || prices.back().spot) continue;
    throw InputError(section.where(), "a price needs 'on_demand' or 'spot'");
  }
  return prices;
}

void read_machine_gpus(TomlSection& section, Machine& machine) {
  machine.gpu = section.maybe_text("gpu").value_or("");
  const double count = maybe_amount(section, "gpus");
  if (count > kMostMachineGpus) {
    throw InputError(section.where("gpus"),
                     "'gpus' is above " + number_text(kMostMachineGpus) + ", more than any machine has");
  }
  if (machine.gpu.empty() && count > 0)
    throw InputError(section.where("gpus"),
                     "'gpus' is given and 'gpu' is not: which GPUs does the machine have?");
  if (!machine.gpu.empty()) machine.gpu_count = count > 0 ? count : 1;
  machine.accelerator = section.maybe_text("accelerator").value_or("");
}

Machine read_machine(TomlSection& section, const FileDefaults& defaults) {
  Machine machine;
  machine.cloud = section.maybe_text("cloud").value_or(defaults.cloud);
  machine.name = section.text("name");
  if (machine.cloud.empty() || machine.name.empty()) {
    throw InputError(section.where(), "a machine needs a 'name' and a 'cloud'",
                     "'cloud' may stand once at the top of the file; 'in-house' will do");
  }
  machine.id = to_id(machine.cloud) + "/" + to_id(machine.name);
  read_origin(section, defaults, machine);
  read_machine_gpus(section, machine);
  machine.vcpus = maybe_amount(section, "vcpus");
  machine.memory = maybe_positive(section, "memory", parse_bytes).value_or(Bytes{});
  machine.cpu = section.maybe_text("cpu").value_or("");
  machine.gpu_link = section.maybe_text("link").value_or("");
  machine.node_link = section.maybe_text("network").value_or("");
  machine.node_link_bandwidth = maybe_positive(section, "network_bandwidth", parse_bandwidth);
  machine.idle = maybe_positive(section, "idle", parse_watts);
  machine.busy = maybe_positive(section, "busy", parse_watts);
  machine.prices = read_prices(section);
  machine.listed = defaults.listed;
  return machine;
}

// A minimum of zero is a fact too.
Seconds duration_or(TomlSection& section, std::string_view key, Seconds usual) {
  return has_key(section, key) ? parse_seconds(section.scalar(key), section.where(key)) : usual;
}

Provider read_provider(TomlSection& section, const FileDefaults& defaults) {
  Provider provider;
  read_identity(section, defaults, provider);
  provider.increment = maybe_positive(section, "increment", parse_seconds).value_or(provider.increment);
  provider.minimum = duration_or(section, "minimum", provider.minimum);
  provider.startup = duration_or(section, "startup", provider.startup);
  return provider;
}

template <class Item>
using Reader = Item (*)(TomlSection&, const FileDefaults&);

template <class Item>
void read_all(std::vector<TomlSection> sections, const FileDefaults& defaults, Reader<Item> read,
              std::vector<Entry<Item>>& into) {
  for (auto& section : sections) {
    into.push_back({read(section, defaults), [section](std::string_view key) { return section.where(key); }});
    section.finish();
  }
}

FileDefaults read_defaults(TomlSection& root) {
  if (root.maybe_integer("schema").value_or(kSchema) != kSchema) {
    throw InputError(root.where("schema"), "this version reads catalogue files with schema = 1 only");
  }
  FileDefaults defaults{root.maybe_text("source").value_or(""), root.maybe_text("date").value_or(""),
                        root.maybe_text("cloud").value_or(""), root.maybe_boolean("listed").value_or(true)};
  if (root.has("date")) check_date(defaults.date, root.where("date"));
  return defaults;
}

}  // namespace

void read_catalog_toml(const std::string& text, const std::string& file_name, Draft& into) {
  auto root = parse_toml(text, file_name);
  const FileDefaults defaults = read_defaults(root);
  read_all(root.sections("gpu"), defaults, read_gpu, into.gpus);
  read_all(root.sections("cpu"), defaults, read_cpu, into.cpus);
  read_all(root.sections("link"), defaults, read_link, into.links);
  read_all(root.sections("machine"), defaults, read_machine, into.machines);
  read_all(root.sections("provider"), defaults, read_provider, into.providers);
  root.finish();
}

}  // namespace sextant::catalog
