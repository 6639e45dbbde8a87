#include "trace_columns.h"

#include <cmath>
#include <limits>

#include "sextant/core/text.h"

namespace sextant::jobs {
namespace {

// An SLO of any size times the longest duration.
constexpr double kLatestDeadline = 1e21;

std::string name_at(const std::vector<std::string>& names, std::int32_t place) {
  return place < 0 ? "" : names.at(static_cast<std::size_t>(place));
}

double number(const CellPlace& cell, double low, double high) {
  return cell.csv.number(cell.row, cell.column, {.low = low, .high = high});
}

std::string raw(const CellPlace& cell) {
  return cell.csv.table().text(cell.row, cell.column);
}

void read_work(const CellPlace& cell, TraceBuilder&, TraceJob& job) {
  job.work = number(cell, std::numeric_limits<double>::denorm_min(), kMostWork);
}
std::string write_work(const Trace&, const TraceJob& job) {
  return number_text(job.work);
}

void read_gpus(const CellPlace& cell, TraceBuilder&, TraceJob& job) {
  job.gpus = cell.csv.gpus(cell.row, cell.column);
  if (job.gpus == 0) throw InputError(cell.csv.table().where(cell.row, cell.column), "this job has no GPU");
}

std::vector<TraceColumn> identity_columns() {
  return {
      {"id",
       true,
       {},
       [](const Trace&, const TraceJob& job) { return job.id; },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.id = raw(cell); }},
      {"arrival_s",
       true,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.arrival_s); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) {
         job.arrival_s = number(cell, 0, kLatestSecond);
       }},
      {"gpus",
       true,
       {},
       [](const Trace&, const TraceJob& job) { return std::to_string(job.gpus); },
       read_gpus},
      {"steps", true, WorkUnit::steps, write_work, read_work},
      {"reference_s", true, WorkUnit::reference_seconds, write_work, read_work},
      {"model",
       false,
       {},
       [](const Trace& trace, const TraceJob& job) { return name_at(trace.models, job.model); },
       [](const CellPlace& cell, TraceBuilder& b, TraceJob& job) { job.model = b.model(raw(cell)); }},
      {"user",
       false,
       {},
       [](const Trace& trace, const TraceJob& job) { return name_at(trace.users, job.user); },
       [](const CellPlace& cell, TraceBuilder& b, TraceJob& job) { job.user = b.user(raw(cell)); }},
  };
}

std::vector<TraceColumn> wish_columns() {
  return {
      {"weight",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.weight); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.weight = number(cell, 1e-9, 1e9); }},
      {"priority",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.priority); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.priority = number(cell, -1e9, 1e9); }},
      {"deadline_s",
       false,
       {},
       [](const Trace&, const TraceJob& job) {
         return std::isfinite(job.deadline_s) ? number_text(job.deadline_s) : std::string();
       },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) {
         job.deadline_s = number(cell, 0, kLatestDeadline);
       }},
      {"start_s",
       false,
       {},
       [](const Trace&, const TraceJob& job) {
         return job.start_s ? number_text(*job.start_s) : std::string();
       },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) {
         job.start_s = number(cell, 0, kLatestSecond);
       }},
      {"estimate_s",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.estimate_s); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) {
         job.estimate_s = number(cell, 0, kMostWork);
       }},
      {"gpu_share",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.gpu_share); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.gpu_share = number(cell, 1e-6, 1); }},
      {"cpus",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.cpus); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.cpus = number(cell, 0, 1e9); }},
      {"memory_gib",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return number_text(job.memory_gib); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.memory_gib = number(cell, 0, 1e12); }},
      {"types",
       false,
       {},
       [](const Trace&, const TraceJob& job) { return join(job.types, "|"); },
       [](const CellPlace& cell, TraceBuilder&, TraceJob& job) { job.types = split(raw(cell), '|'); }},
  };
}

}  // namespace

const std::vector<TraceColumn>& trace_columns() {
  static const std::vector<TraceColumn> columns = [] {
    auto all = identity_columns();
    for (TraceColumn& column : wish_columns()) all.push_back(std::move(column));
    return all;
  }();
  return columns;
}

}  // namespace sextant::jobs
