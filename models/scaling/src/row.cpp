#include "sextant/scaling/row.h"

#include <initializer_list>

#include "sextant/core/text.h"

namespace sextant::scaling {
namespace {

constexpr std::int64_t kMostGpus = 1 << 20;
constexpr double kMost = 1e12;  // samples or seconds: more is a slip

std::optional<std::size_t> first_of(const CsvTable& table, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto column = table.find_column(name)) return column;
  }
  return std::nullopt;
}

std::size_t needed(const CsvTable& table, std::optional<std::size_t> column, const char* names) {
  if (!column) throw InputError({table.file_name(), 1, 1}, std::string("the file has no column ") + names);
  return *column;
}

// A placement that cannot be is told where it stands.
template <typename Make>
jobs::Placement placed(const CsvTable& table, std::size_t row, std::size_t column, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(table.where(row, column), error.message(), error.hint());
  }
}

// 7 GPUs on 3 nodes are 3, 2 and 2: tables of measurements rarely say more.
jobs::Placement nearly_even(std::int64_t count, std::int64_t nodes) {
  if (nodes < 1 || nodes > count || nodes > jobs::kMostNodes || count > kMostGpus) {
    throw InputError(std::to_string(count) + " GPUs cannot stand on " + std::to_string(nodes) + " nodes");
  }
  jobs::Placement placement;
  placement.gpus.assign(static_cast<std::size_t>(nodes), count / nodes);
  for (std::int64_t i = 0; i < count % nodes; ++i) ++placement.gpus[static_cast<std::size_t>(i)];
  return placement;
}

}  // namespace

ScalingColumns::ScalingColumns(const CsvTable& table)
    : table_(table),
      net_(first_of(table, {"net", "model", "network"})),
      precision_(first_of(table, {"precision"})),
      version_(first_of(table, {"version"})),
      cluster_(first_of(table, {"cluster"})),
      gpu_(first_of(table, {"gpu"})),
      host_(first_of(table, {"host"})),
      placement_(first_of(table, {"placement", "gpus_per_node_list"})),
      nodes_(first_of(table, {"nodes", "num_nodes"})),
      count_(first_of(table, {"count", "num_gpus", "gpus"})),
      batch_(first_of(table, {"batch", "local_bsz"})),
      global_batch_(first_of(table, {"global_batch"})),
      step_(first_of(table, {"measured_s", "step_s", "step_time_s"})),
      sync_(first_of(table, {"sync_s", "sync_time_s"})),
      throughput_(first_of(table, {"throughput"})),
      suspect_(first_of(table, {"suspect"})) {
  needed(table, net_, "'net' or 'model'");
  needed(table, cluster_ ? cluster_ : gpu_, "'cluster' or 'gpu'");
  needed(table, placement_ ? placement_ : count_, "'placement' or 'count'");
  needed(table, batch_ ? batch_ : global_batch_, "'batch' or 'global_batch'");
  if (step_) return;
  step_ = first_of(table, {"measured_ms"});
  if (step_) step_unit_ = 1e-3;
}

std::string ScalingColumns::text(std::size_t row, std::optional<std::size_t> column) const {
  return column ? std::string(trim(table_.text(row, *column))) : "";
}

double ScalingColumns::positive(std::size_t row, std::size_t column) const {
  const double value = table_.number(row, column);
  if (value <= 0 || value > kMost) {
    throw InputError(table_.where(row, column),
                     "'" + table_.text(row, column) + "' is not a positive number");
  }
  return value;
}

jobs::Placement ScalingColumns::placement(std::size_t row) const {
  const bool counted = count_ && !table_.empty(row, *count_);
  const bool listed = placement_ && !table_.empty(row, *placement_);
  if (!counted && !listed) {
    throw InputError(table_.where(row, placement_ ? *placement_ : *count_),
                     "this row has neither a placement nor a count");
  }
  const std::int64_t count = counted ? table_.integer(row, *count_) : 0;
  const bool noded = nodes_ && !table_.empty(row, *nodes_);
  const std::int64_t nodes = noded ? table_.integer(row, *nodes_) : 1;
  if (!listed) return placed(table_, row, *count_, [&] { return nearly_even(count, nodes); });
  const jobs::Placement placement =
      placed(table_, row, *placement_, [&] { return jobs::parse_placement(table_.text(row, *placement_)); });
  if (counted && placement.total() != count) {
    throw InputError(table_.where(row, *count_), "placement '" + table_.text(row, *placement_) + "' has " +
                                                     std::to_string(placement.total()) + " GPUs, not " +
                                                     std::to_string(count));
  }
  if (noded && placement.nodes() != nodes) {
    throw InputError(table_.where(row, *nodes_), "placement '" + table_.text(row, *placement_) + "' has " +
                                                     std::to_string(placement.nodes()) + " nodes, not " +
                                                     std::to_string(nodes));
  }
  return placement;
}

// A rate without a batch is taken as the time of one sample on each GPU.
double ScalingColumns::batch(std::size_t row, const jobs::Placement& placement) const {
  if (batch_) return positive(row, *batch_);
  if (throughput_ && table_.empty(row, *global_batch_)) return 1;
  return positive(row, *global_batch_) / static_cast<double>(placement.total());
}

bool ScalingColumns::suspect(std::size_t row) const {
  return suspect_ && !table_.empty(row, *suspect_) && table_.number(row, *suspect_) != 0;
}

ScalingQuestion ScalingColumns::question(std::size_t row) const {
  ScalingQuestion question;
  question.net = text(row, net_);
  if (question.net.empty()) throw InputError(table_.where(row, *net_), "no network is named");
  // Number format and version of the benchmark change the work: another network for the law.
  for (const auto& part : {text(row, precision_), text(row, version_)}) {
    if (!part.empty()) question.net += "/" + part;
  }
  question.cluster = text(row, cluster_);
  if (question.cluster.empty()) {
    question.cluster = text(row, gpu_);
    const std::string host = text(row, host_);
    if (!host.empty() && !question.cluster.empty()) question.cluster += "/" + host;
  }
  if (question.cluster.empty()) {
    throw InputError(table_.where(row, cluster_ ? *cluster_ : *gpu_),
                     "this row names neither a cluster nor a GPU");
  }
  question.placement = placement(row);
  question.batch = batch(row, question.placement);
  return question;
}

ScalingRow ScalingColumns::timed(std::size_t row) const {
  if (!has_time()) {
    throw InputError({table_.file_name(), 1, 1}, "there is no column 'measured_s' or 'step_time_s'",
                     "or 'throughput' with 'global_batch'");
  }
  ScalingRow timed{question(row), {}};
  if (step_) {
    timed.step = Seconds{step_unit_ * positive(row, *step_)};
  } else {
    timed.step = Seconds{timed.at.batch * static_cast<double>(timed.at.placement.total()) /
                         positive(row, *throughput_)};
  }
  if (sync_ && !table_.empty(row, *sync_)) {
    const double sync = table_.number(row, *sync_);
    if (sync > 0 && sync <= kMost) timed.sync = Seconds{sync};
  }
  return timed;
}

std::vector<ScalingRow> read_scaling_rows(const CsvTable& table) {
  const ScalingColumns columns(table);
  std::vector<ScalingRow> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!columns.suspect(row)) rows.push_back(columns.timed(row));
  }
  if (rows.empty()) throw InputError({table.file_name()}, "the file has no row that can be used");
  return rows;
}

}  // namespace sextant::scaling
