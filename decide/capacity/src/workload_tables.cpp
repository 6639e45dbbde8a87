#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "sextant/capacity/workload_files.h"
#include "sextant/core/gzip.h"
#include "table_cells.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMostMachineGpus = 1024;
constexpr std::int32_t kMostNodes = 100'000;

std::vector<MachineType> machine_types(const CsvTable& table) {
  const std::size_t vm = table.column("vm");
  const std::size_t gpu = table.column("gpu");
  const std::size_t gpus = table.column("gpus");
  const std::size_t price = table.column("usd_per_hour");
  const OptionalColumn idle(table, "idle_w");
  const OptionalColumn busy(table, "gpu_w");
  const OptionalColumn minimum(table, "minimum_s");
  const OptionalColumn losses(table, "losses_per_hour");
  std::vector<MachineType> types;
  std::set<std::string> names;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    MachineType type;
    type.name = name_in({table, row, vm});
    if (!names.insert(type.name).second) {
      throw InputError(table.where(row, vm), "machine type '" + type.name + "' is there twice");
    }
    type.gpu = name_in({table, row, gpu});
    type.gpus = count_in({table, row, gpus}, kMostMachineGpus);
    type.hour_price = Dollars{not_negative_in({table, row, price})};
    type.minimum_billing = Seconds{minimum.not_negative_or(row, 0)};
    type.idle = Watts{idle.not_negative_or(row, 0)};
    type.busy = Watts{busy.not_negative_or(row, 0)};
    type.losses_per_hour = losses.not_negative_or(row, 0);
    types.push_back(std::move(type));
  }
  if (types.empty()) throw InputError(SourcePos{.file = table.file_name()}, "there is no machine type");
  return types;
}

// Times of a kind of job by kind of GPU and number of GPUs.
struct KindTime {
  double seconds = 0;
  double spread = 0;
};
using KindTimes = std::map<std::pair<std::string, std::int32_t>, KindTime>;

std::map<std::string, KindTimes> times_by_kind(const CsvTable& table) {
  const std::size_t kind = table.column("kind");
  const std::size_t gpu = table.column("gpu");
  const std::size_t gpus = table.column("gpus");
  const std::size_t seconds = table.column("seconds");
  const OptionalColumn spread(table, "spread");
  std::map<std::string, KindTimes> kinds;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = name_in({table, row, kind});
    const std::string type = name_in({table, row, gpu});
    const std::int32_t count = count_in({table, row, gpus}, kMostMachineGpus);
    const KindTime time{.seconds = positive_in({table, row, seconds}),
                        .spread = spread.not_negative_or(row, 0)};
    if (!kinds[name].emplace(std::pair(type, count), time).second) {
      throw InputError(table.where(row, gpus), "kind '" + name + "' has two times on " +
                                                   std::to_string(count) + " GPUs of type " + type);
    }
  }
  return kinds;
}

// Each GPU count that a machine has and the table knows.
std::vector<JobOption> options_of(const KindTimes& times, const std::vector<MachineType>& types) {
  std::vector<JobOption> options;
  for (std::size_t t = 0; t < types.size(); ++t) {
    for (std::int32_t gpus = 1; gpus <= types[t].gpus; ++gpus) {
      const auto found = times.find({types[t].gpu, gpus});
      if (found == times.end()) continue;
      options.push_back({.type = static_cast<std::int32_t>(t),
                         .gpus = gpus,
                         .time = Seconds{found->second.seconds},
                         .spread = found->second.spread});
    }
  }
  return options;
}

// Numbers of nodes, separated by blanks; none: any node.
std::vector<std::int32_t> nodes_in(const CellAt& cell, std::int32_t nodes) {
  std::vector<std::int32_t> found;
  std::istringstream words(cell.text());
  for (std::string word; words >> word;) {
    std::int32_t node = kNone;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), node);
    if (fault != std::errc{} || end != word.data() + word.size() || node < 0 || node >= nodes) {
      throw InputError(cell.where(), "there is no node '" + word + "'",
                       "nodes count from 0 to " + std::to_string(nodes - 1));
    }
    found.push_back(node);
  }
  return found;
}

class InstanceReader {
 public:
  explicit InstanceReader(const JobTables& tables)
      : jobs_(tables.jobs),
        instance_(jobs_.column("instance")),
        nodes_(jobs_.column("nodes")),
        job_(jobs_.column("job")),
        kind_(jobs_.column("kind")),
        submit_(jobs_.column("submit_s")),
        due_(jobs_.column("due_s")),
        weight_(jobs_.column("tardiness_usd_per_s")),
        priority_(jobs_, "priority"),
        only_(jobs_.find_column("only_nodes")),
        types_(machine_types(tables.machines)),
        times_(times_by_kind(tables.times)),
        times_file_(tables.times.file_name()) {}

  std::vector<Workload> read() {
    for (std::size_t row = 0; row < jobs_.rows(); ++row) add(row);
    for (Workload& workload : workloads_) {
      std::ranges::stable_sort(workload.jobs, {}, [](const WorkloadJob& job) { return job.submit.value; });
    }
    return std::move(workloads_);
  }

 private:
  void add(std::size_t row) {
    const std::string name = name_in({jobs_, row, instance_});
    const std::int32_t nodes = count_in({jobs_, row, nodes_}, kMostNodes);
    const auto [place, fresh] = by_name_.emplace(name, workloads_.size());
    if (fresh) {
      workloads_.push_back(
          {.name = name, .types = types_, .nodes = std::vector<NodeState>(static_cast<std::size_t>(nodes))});
    }
    Workload& workload = workloads_[place->second];
    if (workload.nodes.size() != static_cast<std::size_t>(nodes)) {
      throw InputError(jobs_.where(row, nodes_), "instance '" + name + "' had " +
                                                     std::to_string(workload.nodes.size()) + " nodes before");
    }
    workload.jobs.push_back(job_in(row, name));
  }

  WorkloadJob job_in(std::size_t row, const std::string& instance) {
    WorkloadJob job;
    job.id = name_in({jobs_, row, job_});
    if (!ids_.emplace(instance, job.id).second) {
      throw InputError(jobs_.where(row, job_), "job '" + job.id + "' is there twice");
    }
    job.submit = Seconds{not_negative_in({jobs_, row, submit_})};
    job.due = Seconds{not_negative_in({jobs_, row, due_})};
    if (job.due < job.submit) {
      throw InputError(jobs_.where(row, due_), "the job is due before it is submitted");
    }
    job.tardiness = DollarRate{not_negative_in({jobs_, row, weight_})};
    job.priority = priority_.number(row).value_or(job.tardiness.value);
    job.options = options_for(row);
    if (only_) job.nodes = nodes_in({jobs_, row, *only_}, count_in({jobs_, row, nodes_}, kMostNodes));
    return job;
  }

  const std::vector<JobOption>& options_for(std::size_t row) {
    const std::string kind = name_in({jobs_, row, kind_});
    const auto known = options_.find(kind);
    if (known != options_.end()) return known->second;
    const auto times = times_.find(kind);
    if (times == times_.end()) {
      throw InputError(jobs_.where(row, kind_), "nothing says how long kind '" + kind + "' takes",
                       "its times are missing in " + times_file_);
    }
    std::vector<JobOption> options = options_of(times->second, types_);
    if (options.empty()) {
      throw InputError(jobs_.where(row, kind_), "kind '" + kind + "' fits on no machine type",
                       "its times are of GPUs that no machine has");
    }
    return options_.emplace(kind, std::move(options)).first->second;
  }

  const CsvTable& jobs_;
  std::size_t instance_, nodes_, job_, kind_, submit_, due_, weight_;
  OptionalColumn priority_;
  std::optional<std::size_t> only_;
  std::vector<MachineType> types_;
  std::map<std::string, KindTimes> times_;
  std::string times_file_;
  std::map<std::string, std::vector<JobOption>> options_;  // by kind
  std::map<std::string, std::size_t> by_name_;
  std::set<std::pair<std::string, std::string>> ids_;  // instance and job
  std::vector<Workload> workloads_;
};

}  // namespace

std::vector<Workload> workloads_of(const JobTables& tables) {
  std::vector<Workload> workloads = InstanceReader(tables).read();
  if (workloads.empty()) throw InputError(SourcePos{.file = tables.jobs.file_name()}, "there is no job");
  return workloads;
}

CsvTable read_table(const std::string& path) {
  return CsvTable::parse(read_maybe_packed_file(path), path);
}

}  // namespace sextant::capacity
