// SenseTime's Helios: a log of jobs with calendar times. Jobs on CPUs only are dropped.
#include "calendar.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_helios {
namespace {

double calendar(const TraceCsv& csv, std::size_t row, std::size_t column) {
  const std::optional<double> seconds = calendar_seconds(csv.text(row, column));
  if (seconds) return *seconds;
  throw InputError(csv.table().where(row, column), "'" + csv.text(row, column) + "' is no time",
                   "written 2020-04-01 12:30:00");
}

Trace read_log(std::string text, const std::string& file, const Parameters&) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "helios", WorkUnit::reference_seconds);
  const std::size_t id = csv.column("job_id");
  const std::size_t vc = csv.column("vc");
  const std::size_t gpus = csv.column("gpu_num");
  const std::size_t cpus = csv.column("cpu_num");
  const std::size_t submit = csv.column("submit_time");
  const std::size_t duration = csv.column("duration");
  const auto start = csv.table().find_column("start_time");
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    builder.row();
    TraceJob job{.id = csv.text(row, id), .arrival_s = calendar(csv, row, submit), .line = csv.line(row)};
    job.gpus = csv.gpus(row, gpus);
    job.cpus = csv.number(row, cpus, {.low = 0, .high = 1e6});
    job.work = csv.seconds(row, duration);
    if (start && instant_seconds(csv.text(row, *start))) job.start_s = calendar(csv, row, *start);
    if (job.gpus == 0) {
      builder.drop(kWithoutGpu);
    } else if (job.work == 0) {
      builder.drop(kNoRunTime);
    } else {
      job.user = builder.user(csv.text(row, vc));
      builder.add(std::move(job));
    }
  }
  builder.sort_from_zero();
  builder.note("users are virtual clusters; jobs that failed or were cancelled count with the time they ran");
  return builder.take();
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {
      {{.id = "helios", .summary = "SenseTime's Helios: cluster_log.csv", .reference = "Hu et al., SC 2021"},
       {},
       [](std::string_view text) {
         return has_columns(text, {"job_id", "vc", "gpu_num", "cpu_num", "submit_time", "duration"});
       },
       read_log}};
}

}  // namespace sextant::jobs::trace_helios
