// Microsoft's Philly: its log of jobs in JSON, or the table made of it with submit_s, duration_s, num_gpus,
// vc.
#include "philly_log.h"
#include "sextant/core/text.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_philly {
namespace {

Trace read_table(std::string text, const std::string& file) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "philly", WorkUnit::reference_seconds);
  const std::size_t submit = csv.column("submit_s");
  const std::size_t duration = csv.column("duration_s");
  const std::size_t gpus = csv.column("num_gpus");
  const std::size_t vc = csv.column("vc");
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    builder.row();
    TraceJob job{.id = std::to_string(row), .arrival_s = csv.seconds(row, submit), .line = csv.line(row)};
    builder.in_order(job.arrival_s, [&] { return csv.table().where(row, submit); });
    job.gpus = csv.gpus(row, gpus);
    job.work = csv.seconds(row, duration);
    if (job.gpus == 0) {
      builder.drop(kWithoutGpu);
    } else if (job.work == 0) {
      builder.drop(kNoRunTime);
    } else {
      if (!csv.table().empty(row, vc)) job.user = builder.user(csv.text(row, vc));
      builder.add(std::move(job));
    }
  }
  builder.note("users are virtual clusters");
  return builder.take();
}

bool is_log(std::string_view text) {
  const std::string_view begin = trim(text.substr(0, 4096));
  return begin.starts_with('[') && begin.find("\"attempts\"") != std::string_view::npos;
}

Trace read_philly(std::string text, const std::string& file, const Parameters& parameters) {
  if (trim(text).starts_with('[')) {
    return read_philly_log(text, file,
                           parameters.flag("attempts") ? PhillyReading::attempts : PhillyReading::jobs);
  }
  return read_table(std::move(text), file);
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {
      {{.id = "philly",
        .summary = "Microsoft's Philly: cluster_job_log, or a table of submit_s, duration_s, num_gpus, vc",
        .reference = "Jeon et al., USENIX ATC 2019",
        .parameters = {flag_parameter(
            "attempts", "1: every attempt of the log is a job; 0: all of a jobid are one", false)}},
       {},
       [](std::string_view text) {
         return is_log(text) || has_columns(text, {"submit_s", "duration_s", "num_gpus", "vc"});
       },
       read_philly}};
}

}  // namespace sextant::jobs::trace_philly
