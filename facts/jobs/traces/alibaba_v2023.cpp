// Alibaba's cluster-trace-gpu-v2023: pods with whole GPUs or a share of one, and the kinds they accept.
#include "sextant/core/text.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_alibaba_v2023 {
namespace {

struct PodColumns {
  explicit PodColumns(const TraceCsv& csv)
      : name(csv.column("name")),
        cpu(csv.column("cpu_milli")),
        memory(csv.column("memory_mib")),
        gpus(csv.column("num_gpu")),
        share(csv.column("gpu_milli")),
        spec(csv.column("gpu_spec")),
        created(csv.column("creation_time")),
        deleted(csv.column("deletion_time")),
        scheduled(csv.column("scheduled_time")) {}
  std::size_t name, cpu, memory, gpus, share, spec, created, deleted, scheduled;
};

void read_pod(const TraceCsv& csv, std::size_t row, const PodColumns& at, TraceBuilder& builder) {
  builder.row();
  const double arrival = csv.seconds(row, at.created);
  builder.in_order(arrival, [&] { return csv.table().where(row, at.created); });
  const std::int32_t gpus = csv.gpus(row, at.gpus);
  if (gpus == 0) return builder.drop(kWithoutGpu);
  if (csv.table().empty(row, at.scheduled)) return builder.drop(kNeverStarted);
  if (csv.table().empty(row, at.deleted)) return builder.drop(kStillRunning);
  const double work = csv.seconds(row, at.deleted) - csv.seconds(row, at.scheduled);
  if (work < 0) return builder.drop(kEndsTooEarly);
  if (!(work > 0)) return builder.drop(kNoRunTime);
  TraceJob job{.id = csv.text(row, at.name), .arrival_s = arrival, .gpus = gpus, .line = csv.line(row)};
  job.work = work;
  job.start_s = csv.seconds(row, at.scheduled);
  job.gpu_share = csv.number(row, at.share, {.low = 1, .high = 1000}) / 1000;
  job.cpus = csv.number(row, at.cpu, {.low = 0, .high = 1e9}) / 1000;
  job.memory_gib = csv.number(row, at.memory, {.low = 0, .high = 1e12}) / 1024;
  if (!csv.table().empty(row, at.spec)) job.types = split(csv.text(row, at.spec), '|');
  builder.add(std::move(job));
}

Trace read_pods(std::string text, const std::string& file, const Parameters&) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "alibaba-v2023", WorkUnit::reference_seconds);
  const PodColumns columns(csv);
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) read_pod(csv, row, columns, builder);
  builder.note("work is the time from scheduling to deletion, whatever kind of GPU the pod had");
  return builder.take();
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {
      {{.id = "alibaba-v2023",
        .summary = "Alibaba's GPU-sharing pods of 2023 (openb_pod_list_*.csv)",
        .reference = "Weng et al., USENIX ATC 2023"},
       {"openb"},
       [](std::string_view text) {
         return has_columns(text, {"num_gpu", "gpu_milli", "gpu_spec", "creation_time", "scheduled_time"});
       },
       read_pods}};
}

}  // namespace sextant::jobs::trace_alibaba_v2023
