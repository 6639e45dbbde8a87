#include "throughput_table.h"

#include "sextant/core/text.h"
#include "table_cells.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMostTableGpus = 1 << 20;

}  // namespace

ThroughputTable::ThroughputTable(const CsvTable& table) : file_(table.file_name()) {
  const std::size_t gpu = table.column("gpu");
  const std::size_t model = table.column("model");
  const std::size_t batch = table.column("global_batch");
  const std::size_t gpus = table.column("gpus");
  const std::size_t rate = table.column("iterations_per_s");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Key key{fold_name(name_in({table, row, gpu})), fold_name(name_in({table, row, model})),
                  table.integer(row, batch)};
    const std::int32_t count = count_in({table, row, gpus}, kMostTableGpus);
    if (!rates_[key].emplace(count, not_negative_in({table, row, rate})).second) {
      throw InputError(table.where(row, gpus), "the throughput of these GPUs is there twice");
    }
  }
}

std::vector<JobOption> ThroughputTable::options(const TrainedModel& trained, double iterations,
                                                const std::vector<MachineType>& types) const {
  std::vector<JobOption> options;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const auto rates = rates_.find({fold_name(types[t].gpu), fold_name(trained.model), trained.batch});
    if (rates == rates_.end()) continue;
    for (const auto& [gpus, rate] : rates->second) {
      if (rate == 0 || (gpus > types[t].gpus && gpus % types[t].gpus != 0)) continue;
      options.push_back(
          {.type = static_cast<std::int32_t>(t), .gpus = gpus, .time = Seconds{iterations / rate}});
    }
  }
  return options;
}

}  // namespace sextant::capacity
