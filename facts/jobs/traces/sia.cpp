// Sia's workloads: arrivals, applications and requested replicas. How much work a job is stands nowhere in
// them (its simulator trains to a target metric), so GPU-hours per application are an assumption, and
// parameters.
#include <algorithm>
#include <array>

#include "sextant/core/text.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_sia {
namespace {

// An order of magnitude for small, medium, large and very large jobs, each the middle of a decade on a log
// scale. A guess of ours: neither Sia's nor Pollux' files or runs state it.
struct Application {
  const char* name;
  double gpu_hours;
};
constexpr std::array<Application, 6> kApplications = {
    Application{"bert", 3.2}, {"cifar10", 0.32}, {"deepspeech2", 3.2},
    {"imagenet", 320},        {"ncf", 0.32},     {"yolov3", 32}};

std::size_t application(const TraceCsv& csv, std::size_t row, std::size_t column) {
  const std::string name = csv.text(row, column);
  const auto found = std::ranges::find(kApplications, name, &Application::name);
  if (found != kApplications.end()) return static_cast<std::size_t>(found - kApplications.begin());
  std::vector<std::string> known;
  for (const Application& each : kApplications) known.emplace_back(each.name);
  throw InputError(csv.table().where(row, column), "unknown application '" + name + "'",
                   name_hint(name, known));
}

std::string assumption(const Parameters& gpu_hours) {
  std::string text = "work is an assumption, for the file has none; GPU-hours a job:";
  for (std::size_t i = 0; i < kApplications.size(); ++i) {
    text += std::string(i == 0 ? " " : ", ") + kApplications[i].name + " " +
            number_text(gpu_hours.number(kApplications[i].name));
  }
  return text;
}

Trace read_workload(std::string text, const std::string& file, const Parameters& gpu_hours) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "sia", WorkUnit::reference_seconds);
  const std::size_t name = csv.column("name");
  const std::size_t time = csv.column("time");
  const std::size_t app = csv.column("application");
  const std::size_t replicas = csv.column("num_replicas");
  std::array<double, kApplications.size()> hours{};
  for (std::size_t i = 0; i < hours.size(); ++i) hours[i] = gpu_hours.number(kApplications[i].name);
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    builder.row();
    TraceJob job{.id = csv.text(row, name), .arrival_s = csv.seconds(row, time), .line = csv.line(row)};
    builder.in_order(job.arrival_s, [&] { return csv.table().where(row, time); });
    job.gpus = csv.gpus(row, replicas);
    const std::size_t which = application(csv, row, app);
    job.model = builder.model(kApplications[which].name);
    if (job.gpus == 0) {
      builder.drop(kWithoutGpu);
      continue;
    }
    job.work = hours[which] * 3600 / job.gpus;
    builder.add(std::move(job));
  }
  builder.note(assumption(gpu_hours));
  return builder.take();
}

std::vector<ParameterInfo> hours_parameters() {
  std::vector<ParameterInfo> parameters;
  for (const Application& each : kApplications) {
    parameters.push_back(
        number_parameter(each.name, "GPU-hours of a job; an assumption", {each.gpu_hours, 1e-3, 1e6}));
  }
  return parameters;
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "sia",
            .summary = "Sia's and Pollux' workloads: name, time, application, num_replicas",
            .reference = "Jayaram Subramanya et al., SOSP 2023; Qiao et al., OSDI 2021",
            .parameters = hours_parameters()},
           {"pollux"},
           [](std::string_view text) {
             return has_columns(text, {"name", "time", "application", "num_replicas"});
           },
           read_workload}};
}

}  // namespace sextant::jobs::trace_sia
