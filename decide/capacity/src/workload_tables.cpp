#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "job_kinds.h"
#include "machine_table.h"
#include "sextant/capacity/workload_files.h"
#include "sextant/core/gzip.h"
#include "table_cells.h"

namespace sextant::capacity {
namespace {

constexpr std::int32_t kMostNodes = 100'000;
constexpr std::int32_t kMostJobGpus = 100'000;

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
        submit_(jobs_.column("submit_s")),
        due_(jobs_.column("due_s")),
        weight_(jobs_.column("tardiness_usd_per_s")),
        priority_(jobs_, "priority"),
        only_(jobs_.find_column("only_nodes")),
        least_(jobs_.find_column("min_gpus")),
        most_(jobs_.find_column("max_gpus")),
        types_(machine_types(tables.machines, tables.catalog)),
        kinds_(tables, types_) {}

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
    job.options = kinds_.options_of(row);
    keep_within_bounds(row, job);
    if (only_) job.nodes = nodes_in({jobs_, row, *only_}, count_in({jobs_, row, nodes_}, kMostNodes));
    return job;
  }

  void keep_within_bounds(std::size_t row, WorkloadJob& job) const {
    const auto bound = [&](const std::optional<std::size_t>& column, std::int32_t otherwise) {
      return !column || jobs_.empty(row, *column) ? otherwise : count_in({jobs_, row, *column}, kMostJobGpus);
    };
    const std::int32_t least = bound(least_, 1);
    const std::int32_t most = bound(most_, kMostJobGpus);
    std::erase_if(job.options,
                  [&](const JobOption& option) { return option.gpus < least || option.gpus > most; });
    if (!job.options.empty()) return;
    throw InputError(jobs_.where(row, most_ ? *most_ : *least_), "job '" + job.id + "' fits nowhere",
                     "it has no time for any of the machines within its numbers of GPUs");
  }

  const CsvTable& jobs_;
  std::size_t instance_, nodes_, job_, submit_, due_, weight_;
  OptionalColumn priority_;
  std::optional<std::size_t> only_, least_, most_;
  std::vector<MachineType> types_;
  JobKinds kinds_;
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
