#include <algorithm>

#include "sextant/capacity/workload_files.h"
#include "table_cells.h"
#include "throughput_table.h"

namespace sextant::capacity {
namespace {

constexpr double kWeight =
    1.0 / 3600;  // USD/s, of every job: deadlines are kept or not, none more than others

class TraceReader {
 public:
  TraceReader(const DeadlineTables& tables, const clusters::Cluster& cluster)
      : trace_(tables.trace),
        job_(trace_.column("job")),
        submit_(trace_.column("submit_s")),
        iterations_(trace_.column("iterations")),
        model_(trace_.column("model")),
        deadline_(trace_.column("deadline_s")),
        batch_(trace_.column("batch")),
        cluster_(cluster),
        rates_(tables.throughputs) {}

  Workload read() {
    workload_.name = cluster_.name;
    for (const clusters::Pool& pool : cluster_.pools) add_pool(pool);
    for (std::size_t row = 0; row < trace_.rows(); ++row) workload_.jobs.push_back(job_in(row));
    if (workload_.jobs.empty()) throw InputError(SourcePos{.file = trace_.file_name()}, "there is no job");
    std::ranges::stable_sort(workload_.jobs, {}, [](const WorkloadJob& job) { return job.submit.value; });
    return std::move(workload_);
  }

 private:
  // The last node of a pool may have fewer GPUs: it is a machine type of its own.
  void add_pool(const clusters::Pool& pool) {
    const std::int64_t whole = pool.gpus / pool.per_node;
    if (whole > 0) add_nodes(pool, pool.per_node, whole);
    if (pool.gpus % pool.per_node != 0) add_nodes(pool, pool.gpus % pool.per_node, 1);
  }

  void add_nodes(const clusters::Pool& pool, std::int64_t gpus, std::int64_t nodes) {
    const auto type = static_cast<std::int32_t>(workload_.types.size());
    workload_.types.push_back({.name = pool.type + "x" + std::to_string(gpus),
                               .gpu = pool.type,
                               .gpus = static_cast<std::int32_t>(gpus),
                               .hour_price = static_cast<double>(gpus) * pool.hour_price,
                               .idle = static_cast<double>(gpus) * pool.idle,
                               .busy = pool.power - pool.idle});
    nodes_of_.push_back(nodes);
    for (std::int64_t n = 0; n < nodes; ++n) workload_.nodes.push_back({.only = type});
  }

  WorkloadJob job_in(std::size_t row) {
    WorkloadJob job;
    job.id = name_in({trace_, row, job_});
    job.submit = Seconds{not_negative_in({trace_, row, submit_})};
    job.due = Seconds{not_negative_in({trace_, row, deadline_})};
    if (job.due < job.submit)
      throw InputError(trace_.where(row, deadline_), "the deadline is before the submission");
    job.tardiness = DollarRate{kWeight};
    job.options = options_for(row, positive_in({trace_, row, iterations_}));
    return job;
  }

  std::vector<JobOption> options_for(std::size_t row, double iterations) const {
    const std::string model = name_in({trace_, row, model_});
    const std::int64_t batch = trace_.integer(row, batch_);
    std::vector<JobOption> options =
        rates_.options({.model = model, .batch = batch}, iterations, workload_.types);
    std::erase_if(options, [&](const JobOption& option) {
      const auto type = static_cast<std::size_t>(option.type);
      return option.gpus > workload_.types[type].gpus * nodes_of_[type];
    });
    if (options.empty()) {
      throw InputError(
          trace_.where(row, model_),
          "nothing says how fast '" + model + "' is with batch " + std::to_string(batch) + " on these GPUs",
          "throughputs are in " + rates_.file());
    }
    return options;
  }

  const CsvTable& trace_;
  std::size_t job_, submit_, iterations_, model_, deadline_, batch_;
  const clusters::Cluster& cluster_;
  ThroughputTable rates_;
  std::vector<std::int64_t> nodes_of_;  // by machine type
  Workload workload_;
};

}  // namespace

Workload deadline_workload(const DeadlineTables& tables, const clusters::Cluster& cluster) {
  return TraceReader(tables, cluster).read();
}

}  // namespace sextant::capacity
