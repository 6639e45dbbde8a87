#include "job_kinds.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMostKindGpus = 1024;
constexpr std::int32_t kMostBatch = 1 << 24;

}  // namespace

JobKinds::JobKinds(const JobTables& tables, const std::vector<MachineType>& types)
    : jobs_(tables.jobs),
      types_(types),
      predict_(tables.network_times),
      kind_(jobs_.find_column("kind")),
      network_(jobs_.find_column("network")),
      samples_(jobs_.find_column("samples")),
      batch_(jobs_.find_column("batch")),
      epochs_(jobs_.find_column("epochs")),
      precision_(jobs_.find_column("precision")) {
  if (!network_) kind_ = jobs_.column("kind");
  if (tables.times != nullptr) read_times(*tables.times);
}

void JobKinds::read_times(const CsvTable& table) {
  times_file_ = table.file_name();
  const std::size_t kind = table.column("kind");
  const std::size_t gpu = table.column("gpu");
  const std::size_t gpus = table.column("gpus");
  const std::size_t seconds = table.column("seconds");
  const OptionalColumn spread(table, "spread");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = name_in({table, row, kind});
    const std::string type = name_in({table, row, gpu});
    const std::int32_t count = count_in({table, row, gpus}, kMostKindGpus);
    const Time time{.seconds = positive_in({table, row, seconds}), .spread = spread.not_negative_or(row, 0)};
    if (!times_[name].emplace(std::pair(type, count), time).second) {
      throw InputError(table.where(row, gpus), "kind '" + name + "' has two times on " +
                                                   std::to_string(count) + " GPUs of type " + type);
    }
  }
}

const std::vector<JobOption>& JobKinds::options_of(std::size_t row) {
  if (!given(row, network_)) return options_of_kind(row);
  if (given(row, kind_)) {
    throw InputError(jobs_.where(row, *network_), "the job has a kind and a network",
                     "times come from one of them: leave the other empty");
  }
  return options_of_network(row);
}

// Each GPU count that a machine has and the table knows.
const std::vector<JobOption>& JobKinds::options_of_kind(std::size_t row) {
  if (!kind_) throw InputError(jobs_.where(row, *network_), "the job has neither a kind nor a network");
  const std::string kind = name_in({jobs_, row, *kind_});
  const auto known = kinds_.find(kind);
  if (known != kinds_.end()) return known->second;
  const auto times = times_.find(kind);
  if (times == times_.end()) {
    throw InputError(
        jobs_.where(row, *kind_), "nothing says how long kind '" + kind + "' takes",
        times_file_.empty() ? "there is no table of `times`" : "its times are missing in " + times_file_);
  }
  std::vector<JobOption> options;
  for (std::size_t t = 0; t < types_.size(); ++t) {
    for (std::int32_t gpus = 1; gpus <= types_[t].gpus; ++gpus) {
      const auto found = times->second.find({types_[t].gpu, gpus});
      if (found == times->second.end()) continue;
      options.push_back({.type = static_cast<std::int32_t>(t),
                         .gpus = gpus,
                         .time = Seconds{found->second.seconds},
                         .spread = found->second.spread});
    }
  }
  if (options.empty()) {
    throw InputError(jobs_.where(row, *kind_), "kind '" + kind + "' fits on no machine type",
                     "its times are of GPUs that no machine has");
  }
  return kinds_.emplace(kind, std::move(options)).first->second;
}

TrainedNetwork JobKinds::network_in(std::size_t row) const {
  if (!samples_) throw InputError(jobs_.where(row, *network_), "a network without the column 'samples'");
  TrainedNetwork network{.net = name_in({jobs_, row, *network_}), .at = jobs_.where(row, *network_)};
  network.samples = jobs_.integer(row, *samples_);
  if (network.samples < 1) throw InputError(jobs_.where(row, *samples_), "a job has at least one sample");
  if (given(row, batch_)) network.batch = count_in({jobs_, row, *batch_}, kMostBatch);
  if (given(row, epochs_)) network.epochs = positive_in({jobs_, row, *epochs_});
  if (given(row, precision_)) network.precision = name_in({jobs_, row, *precision_});
  return network;
}

const std::vector<JobOption>& JobKinds::options_of_network(std::size_t row) {
  const TrainedNetwork network = network_in(row);
  const NetworkKey key{network.net, network.batch, network.samples, network.epochs, network.precision};
  const auto known = networks_.find(key);
  if (known != networks_.end()) return known->second;
  if (!predict_) throw InputError(network.at, "nobody is there to predict the times of a network");
  return networks_.emplace(key, predict_(network, types_)).first->second;
}

}  // namespace sextant::capacity
