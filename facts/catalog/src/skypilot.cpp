#include "skypilot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "fields.h"
#include "sextant/core/text.h"

namespace sextant::catalog {
namespace {

constexpr double kMib = 0x1p20;
constexpr double kGib = 0x1p30;
// SkyPilot's memory figures are rounded; more than this apart is another product.
constexpr double kSameMemory = 0.15;
constexpr std::size_t kNamesInWarning = 8;

struct Columns {
  explicit Columns(const CsvTable& table)
      : instance(table.column("InstanceType")),
        price(table.column("Price")),
        accelerator(table.find_column("AcceleratorName")),
        count(table.find_column("AcceleratorCount")),
        vcpus(table.find_column("vCPUs")),
        memory(table.find_column("MemoryGiB")),
        gpu_info(table.find_column("GpuInfo")),
        spot(table.find_column("SpotPrice")),
        region(table.find_column("Region")) {}

  std::size_t instance, price;
  std::optional<std::size_t> accelerator, count, vcpus, memory, gpu_info, spot, region;
};

class Row {
 public:
  Row(const CsvTable& table, const Columns& columns, std::size_t row)
      : table_(table), columns_(columns), row_(row) {}

  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] SourcePos where(std::size_t column) const { return table_.where(row_, column); }

  [[nodiscard]] std::string text(std::optional<std::size_t> column) const {
    return column ? std::string(trim(table_.text(row_, *column))) : std::string();
  }

  [[nodiscard]] std::optional<double> amount(std::optional<std::size_t> column) const {
    if (!column) return std::nullopt;
    const auto value = table_.maybe_number(row_, *column);
    if (!value || *value >= 0) return value;
    throw InputError(where(*column), "'" + table_.header()[*column] + "' must not be negative");
  }

 private:
  const CsvTable& table_;
  const Columns& columns_;
  std::size_t row_;
};

std::optional<DollarRate> per_hour(std::optional<double> dollars) {
  if (!dollars) return std::nullopt;
  return DollarRate{*dollars / kHour.value};
}

// "... 'MemoryInfo': {'SizeInMiB': 16384}}], ...": written by Python, so neither JSON nor reliable.
std::optional<Bytes> memory_in_gpu_info(std::string_view info) {
  constexpr std::string_view kKey = "'SizeInMiB':";
  const auto at = info.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  info.remove_prefix(at + kKey.size());
  const auto mib = to_number(trim(info.substr(0, info.find_first_of(",}"))));
  if (!mib || !std::isfinite(*mib) || *mib <= 0) return std::nullopt;
  return Bytes{*mib * kMib};
}

// "V100" with 32 GiB is SkyPilot's "V100-32GB" under another cloud's habits.
const Gpu* find_gpu(const Catalog& known, const std::string& name, std::optional<Bytes> memory) {
  const Gpu* gpu = known.gpus.find(name);
  if (gpu == nullptr || !memory || std::abs(*memory / gpu->memory - 1) <= kSameMemory) return gpu;
  const Gpu* variant = known.gpus.find(name + "-" + number_text(std::round(memory->value / kGib)) + "GB");
  return variant != nullptr ? variant : gpu;
}

void lower(std::optional<DollarRate>& best, std::optional<DollarRate> offer) {
  if (offer && (!best || *offer < *best)) best = offer;
}

void add_price(Machine& machine, const Price& offer) {
  if (!offer.on_demand && !offer.spot) return;
  auto it = std::ranges::find(machine.prices, offer.region, &Price::region);
  if (it == machine.prices.end()) it = machine.prices.insert(it, {offer.region, {}, {}});
  lower(it->on_demand, offer.on_demand);
  lower(it->spot, offer.spot);
}

std::optional<DollarRate> sum(std::optional<DollarRate> a, std::optional<DollarRate> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

std::string gpus_alone_id(const std::string& cloud, double count, const std::string& accelerator) {
  return cloud + "/" + number_text(count) + "x" + to_id(accelerator);
}

class Import {
 public:
  Import(const CsvTable& table, const Catalog& known)
      : table_(table), known_(known), cloud_(cloud_of_path(table.file_name(), known)) {}

  Draft run() {
    const Columns columns(table_);
    for (std::size_t i = 0; i < table_.rows(); ++i) add(Row(table_, columns, i));
    Draft draft;
    for (const auto& [id, machine] : machines_) {
      draft.machines.push_back({completed(machine), [file = table_.file_name()](std::string_view) {
                                  return SourcePos{file, 0, 0};
                                }});
    }
    warn(draft.warnings);
    return draft;
  }

 private:
  void add(const Row& row) {
    Machine machine = described(row);
    auto it = machines_.find(machine.id);
    if (it != machines_.end() && it->second.gpu != machine.gpu) {
      machine.id =
          cloud_ + "/" + bare_name(machine) + "-" + number_text(machine.gpu_count) + "x" + to_id(machine.gpu);
      it = machines_.find(machine.id);
    }
    if (it == machines_.end()) it = machines_.emplace(machine.id, std::move(machine)).first;
    const Columns& columns = row.columns();
    add_price(it->second, {row.text(columns.region), per_hour(row.amount(columns.price)),
                           per_hour(row.amount(columns.spot))});
  }

  Machine described(const Row& row) {
    const Columns& columns = row.columns();
    Machine machine;
    machine.cloud = cloud_;
    machine.source = "SkyPilot catalogue, " + table_.file_name();
    machine.vcpus = row.amount(columns.vcpus).value_or(0);
    machine.memory = Bytes{row.amount(columns.memory).value_or(0) * kGib};
    const std::string accelerator = row.text(columns.accelerator);
    if (!accelerator.empty()) describe_gpus(row, accelerator, machine);
    machine.name = row.text(columns.instance);
    machine.accelerator_only = machine.name.empty();
    if (!machine.name.empty()) {
      machine.id = cloud_ + "/" + to_id(machine.name);
    } else if (!accelerator.empty()) {
      machine.id = gpus_alone_id(cloud_, machine.gpu_count, accelerator);
      machine.name = bare_name(machine);
    } else {
      throw InputError(row.where(columns.instance), "this row has neither InstanceType nor AcceleratorName");
    }
    return machine;
  }

  void describe_gpus(const Row& row, const std::string& accelerator, Machine& machine) {
    const Columns& columns = row.columns();
    machine.gpu_count = row.amount(columns.count).value_or(1);
    if (machine.gpu_count <= 0) {
      throw InputError(row.where(*columns.count),
                       "AcceleratorCount must be positive where AcceleratorName is given");
    }
    const auto memory = memory_in_gpu_info(row.text(columns.gpu_info));
    const Gpu* gpu = find_gpu(known_, accelerator, memory);
    machine.gpu_known = gpu != nullptr;
    machine.gpu = gpu != nullptr ? gpu->id : accelerator;
    if (gpu == nullptr) machine.gpu_memory = memory;
    if (gpu == nullptr) unknown_.insert(accelerator);
  }

  // The catalogue's own entry with the file's prices, where the machine is known.
  [[nodiscard]] Machine completed(const Machine& imported) {
    const Machine* entry = known_.machines.find(imported.id);
    if (entry == nullptr || entry->id != imported.id) return imported;
    Machine machine = *entry;
    std::erase(machine.aliases, bare_name(machine));
    const bool host_alone = imported.gpu.empty() && !entry->accelerator.empty();
    auto prices = host_alone ? with_accelerators(imported, *entry) : imported.prices;
    if (prices.empty()) {
      unpriced_.insert(machine.id);
      return machine;
    }
    machine.prices = std::move(prices);
    machine.source = imported.source;
    machine.date.clear();
    return machine;
  }

  // Price of host and GPUs together, in the regions that sell both.
  [[nodiscard]] std::vector<Price> with_accelerators(const Machine& host, const Machine& entry) const {
    std::vector<Price> prices;
    const auto gpus = machines_.find(gpus_alone_id(cloud_, entry.gpu_count, entry.accelerator));
    if (gpus == machines_.end()) return prices;
    for (const auto& price : host.prices) {
      const Price* extra = find_price(gpus->second, price.region);
      if (extra == nullptr) continue;
      prices.push_back({price.region, sum(price.on_demand, extra->on_demand), sum(price.spot, extra->spot)});
      if (!prices.back().on_demand && !prices.back().spot) prices.pop_back();
    }
    return prices;
  }

  void warn(std::vector<std::string>& warnings) const {
    warn_of(unknown_, "accelerators that are not in the catalogue", warnings);
    warn_of(unpriced_, "machines that the file gives no price for (older prices kept)", warnings);
  }

  void warn_of(const std::set<std::string>& names, const std::string& what,
               std::vector<std::string>& warnings) const {
    if (names.empty()) return;
    std::vector<std::string> listed(names.begin(), names.end());
    const std::size_t more = listed.size() > kNamesInWarning ? listed.size() - kNamesInWarning : 0;
    listed.resize(listed.size() - more);
    warnings.push_back(table_.file_name() + ": " + what + ": " + join(listed, ", ") +
                       (more > 0 ? " and " + std::to_string(more) + " more" : ""));
  }

  const CsvTable& table_;
  const Catalog& known_;
  std::string cloud_;
  std::map<std::string, Machine> machines_;  // by id
  std::set<std::string> unknown_;
  std::set<std::string> unpriced_;
};

}  // namespace

std::string cloud_of_path(const std::string& path, const Catalog& known) {
  const std::filesystem::path file(path);
  const auto is_cloud = [&](const std::string& name) {
    return std::ranges::any_of(known.machines.all(),
                               [&](const auto& machine) { return machine.cloud == name; });
  };
  std::string stem = to_id(file.stem().string());
  std::string folder = to_id(file.parent_path().filename().string());
  if (stem == "vms" && folder.find_first_not_of('.') != std::string::npos) return folder;
  if (is_cloud(stem)) return stem;
  return is_cloud(folder) ? folder : "skypilot";
}

Draft import_skypilot(const CsvTable& table, const Catalog& known) {
  return Import(table, known).run();
}

}  // namespace sextant::catalog
