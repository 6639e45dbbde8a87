// Tiresias' job files: GPUs, submission, model and the duration with all its GPUs.
#include "trace_csv.h"

namespace sextant::jobs::trace_tiresias {
namespace {

Trace read_jobs(std::string text, const std::string& file, const Parameters&) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "tiresias", WorkUnit::reference_seconds);
  const std::size_t id = csv.column("job_id");
  const std::size_t gpus = csv.column("num_gpu");
  const std::size_t submit = csv.column("submit_time");
  const std::size_t model = csv.column("model_name");
  const std::size_t duration = csv.column("duration");
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    builder.row();
    TraceJob job{.id = csv.text(row, id), .arrival_s = csv.seconds(row, submit), .line = csv.line(row)};
    builder.in_order(job.arrival_s, [&] { return csv.table().where(row, submit); });
    job.gpus = csv.gpus(row, gpus);
    job.work = csv.seconds(row, duration);
    job.model = builder.model(csv.text(row, model));
    if (job.gpus == 0) {
      builder.drop(kWithoutGpu);
    } else if (job.work == 0) {
      builder.drop(kNoRunTime);
    } else {
      builder.add(std::move(job));
    }
  }
  return builder.take();
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "tiresias",
            .summary = "Tiresias: job_id, num_gpu, submit_time, iterations, model_name, duration",
            .reference = "Gu et al., NSDI 2019"},
           {},
           [](std::string_view text) {
             return has_columns(text, {"job_id", "num_gpu", "submit_time", "model_name", "duration"});
           },
           read_jobs}};
}

}  // namespace sextant::jobs::trace_tiresias
