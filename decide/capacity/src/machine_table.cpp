#include "machine_table.h"

#include <optional>
#include <set>

#include "table_cells.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMostMachineGpus = 1024;

class MachineRows {
 public:
  MachineRows(const CsvTable& table, const catalog::Catalog& catalog)
      : table_(table),
        catalog_(catalog),
        vm_(table.column("vm")),
        gpu_(table.find_column("gpu")),
        gpus_(table.find_column("gpus")),
        price_(table.find_column("usd_per_hour")),
        idle_(table, "idle_w"),
        busy_(table, "gpu_w"),
        minimum_(table, "minimum_s"),
        losses_(table, "losses_per_hour") {}

  [[nodiscard]] MachineType type_in(std::size_t row) const {
    const std::string name = name_in({table_, row, vm_});
    const bool complete = given(row, gpu_) && given(row, gpus_) && given(row, price_);
    MachineType type = complete ? MachineType{} : base_of(row, name);
    type.name = name;
    if (given(row, gpu_)) type.gpu = name_in({table_, row, *gpu_});
    if (given(row, gpus_)) type.gpus = count_in({table_, row, *gpus_}, kMostMachineGpus);
    if (given(row, price_)) type.hour_price = Dollars{not_negative_in({table_, row, *price_})};
    type.minimum_billing = Seconds{minimum_.not_negative_or(row, type.minimum_billing.value)};
    type.idle = Watts{idle_.not_negative_or(row, type.idle.value)};
    type.busy = Watts{busy_.not_negative_or(row, type.busy.value)};
    type.losses_per_hour = losses_.not_negative_or(row, 0);
    return type;
  }
  [[nodiscard]] SourcePos where(std::size_t row) const { return table_.where(row, vm_); }

 private:
  [[nodiscard]] bool given(std::size_t row, const std::optional<std::size_t>& column) const {
    return column && !table_.empty(row, *column);
  }

  [[nodiscard]] MachineType base_of(std::size_t row, const std::string& name) const {
    const catalog::Machine* machine = catalog_.machines.find(name);
    if (machine == nullptr) refuse_unknown(row, name);
    MachineType type = catalogue_machine(*machine, catalog_);
    if (type.gpus < 1 && !given(row, gpus_)) throw InputError(where(row), machine->id + " has no whole GPU");
    const auto price = catalogue_price(*machine);
    if (!price && !given(row, price_)) {
      throw InputError(where(row), machine->id + " has no price", "say it in the column 'usd_per_hour'");
    }
    type.hour_price = price.value_or(Dollars{});
    return type;
  }

  [[noreturn]] void refuse_unknown(std::size_t row, const std::string& name) const {
    for (const char* column : {"gpu", "gpus", "usd_per_hour"}) {
      const std::size_t place = table_.column(column);
      if (!table_.empty(row, place)) continue;
      throw InputError(table_.where(row, place), "the cell is empty",
                       "the catalogue would say it, but has no machine '" + name + "'");
    }
    throw std::logic_error("a row that is complete has no need of the catalogue");
  }

  const CsvTable& table_;
  const catalog::Catalog& catalog_;
  std::size_t vm_;
  std::optional<std::size_t> gpu_, gpus_, price_;
  OptionalColumn idle_, busy_, minimum_, losses_;
};

}  // namespace

std::vector<MachineType> machine_types(const CsvTable& table, const catalog::Catalog& catalog) {
  const MachineRows rows(table, catalog);
  std::vector<MachineType> types;
  std::set<std::string> names;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    types.push_back(rows.type_in(row));
    if (!names.insert(types.back().name).second)
      throw InputError(rows.where(row), "machine type '" + types.back().name + "' is there twice");
  }
  if (types.empty()) throw InputError(SourcePos{.file = table.file_name()}, "there is no machine type");
  return types;
}

}  // namespace sextant::capacity
