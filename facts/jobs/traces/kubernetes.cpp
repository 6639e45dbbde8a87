// Kubernetes: `kubectl get jobs -o json`, and Kueue's `kubectl get workloads -o json`. A job is a gang of the
// GPUs of all its pods that run at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "calendar.h"
#include "json_list.h"
#include "sextant/core/text.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_kubernetes {
namespace {

constexpr std::array<std::string_view, 3> kGpuResources = {"nvidia.com/gpu", "amd.com/gpu",
                                                           "gpu.intel.com/i915"};

struct Place {
  const std::string& file;
  std::int64_t line;
  std::string item = {};  // its name, for messages

  [[nodiscard]] SourcePos pos() const { return {file, static_cast<int>(line), 1}; }
};

std::string of_item(const Place& at) {
  return at.item.empty() ? "" : " (of '" + at.item + "')";
}

std::optional<double> moment(const std::string& text, const Place& at) {
  if (text.empty()) return std::nullopt;
  if (const auto seconds = instant_seconds(text)) return seconds;
  throw InputError(at.pos(), "'" + text + "' is no time" + of_item(at), "written 2024-01-05T10:00:00Z");
}

// A whole number, as a number or as text; `usual` where it is not stated.
double count_at(const Json* value, double usual, const Place& at) {
  if (value == nullptr || value->is_null()) return usual;
  const auto number = value->is_number()   ? std::optional(value->get<double>())
                      : value->is_string() ? to_number(value->get<std::string>())
                                           : std::nullopt;
  if (number && *number >= 0 && *number <= kMostTraceGpus && *number == std::floor(*number)) return *number;
  throw InputError(at.pos(), "'" + value->dump(-1, ' ', false, Json::error_handler_t::replace) +
                                 "' is no number of GPUs or pods" + of_item(at));
}

// Of one container. Where a limit is stated alone, it is the request too.
double gpus_of_container(const Json& container, const Place& at) {
  double gpus = 0;
  for (const std::string_view name : kGpuResources) {
    const Json* found = nullptr;
    for (const char* where : {"resources.requests", "resources.limits"}) {
      const Json* list = member_at(container, where);
      if (found != nullptr || list == nullptr || !list->is_object()) continue;
      const auto entry = list->find(std::string(name));
      if (entry != list->end()) found = &*entry;
    }
    gpus += count_at(found, 0, at);
  }
  return gpus;
}

// Of one pod: containers run together, those that prepare it run before, one after the other.
double gpus_of_pod(const Json& template_spec, const Place& at) {
  double together = 0;
  double before = 0;
  if (const Json* list = member_at(template_spec, "containers"); list != nullptr && list->is_array()) {
    for (const Json& each : *list) together += gpus_of_container(each, at);
  }
  if (const Json* list = member_at(template_spec, "initContainers"); list != nullptr && list->is_array()) {
    for (const Json& each : *list) before = std::max(before, gpus_of_container(each, at));
  }
  return std::max(together, before);
}

// When a condition became true.
std::string condition_time(const Json& item, std::initializer_list<std::string_view> types) {
  const Json* conditions = member_at(item, "status.conditions");
  if (conditions == nullptr || !conditions->is_array()) return {};
  for (const std::string_view type : types) {
    for (const Json& each : *conditions) {
      if (text_at(each, "type") == type && text_at(each, "status") == "True")
        return text_at(each, "lastTransitionTime");
    }
  }
  return {};
}

// What both kinds of items come to.
struct ClusterJob {
  double gpus = 0;
  std::optional<double> start_s = {};
  std::optional<double> end_s = {};
  std::string user = {};
};

ClusterJob job_of(const Json& item, const Place& at) {
  const Json* pod = member_at(item, "spec.template.spec");
  const double pods = count_at(member_at(item, "spec.parallelism"), 1, at);
  std::string end = text_at(item, "status.completionTime");
  if (end.empty()) end = condition_time(item, {"Complete", "Failed"});
  return {.gpus = pod == nullptr ? 0 : pods * gpus_of_pod(*pod, at),
          .start_s = moment(text_at(item, "status.startTime"), at),
          .end_s = moment(end, at),
          .user = text_at(item, "metadata.namespace")};
}

ClusterJob workload_of(const Json& item, const Place& at) {
  ClusterJob job{.start_s = moment(condition_time(item, {"Admitted", "QuotaReserved"}), at),
                 .end_s = moment(condition_time(item, {"Finished"}), at),
                 .user = text_at(item, "spec.queueName")};
  if (job.user.empty()) job.user = text_at(item, "metadata.namespace");
  const Json* sets = member_at(item, "spec.podSets");
  if (sets == nullptr || !sets->is_array()) return job;
  for (const Json& each : *sets) {
    const Json* pod = member_at(each, "template.spec");
    if (pod != nullptr) job.gpus += count_at(member_at(each, "count"), 1, at) * gpus_of_pod(*pod, at);
  }
  return job;
}

class KubernetesReader {
 public:
  explicit KubernetesReader(const std::string& file)
      : file_(file), builder_(file, "kubernetes", WorkUnit::reference_seconds) {}

  void add(const Json& item, std::int64_t line) {
    const Place at{file_, line, text_at(item, "metadata.name")};
    const std::string kind = text_at(item, "kind");
    if (kind != "Job" && kind != "Workload") {
      throw InputError(
          at.pos(), "the item is a '" + kind + "', neither a Job nor a Workload of Kueue",
          "kubectl get jobs -A -o json lists jobs, with workloads.kueue.x-k8s.io those of Kueue");
    }
    if (!kind_.empty() && kind != kind_) {
      throw InputError(at.pos(), "the list has Jobs and Workloads, so that jobs would count twice",
                       "list one of them");
    }
    kind_ = kind;
    add(item, kind == "Job" ? job_of(item, at) : workload_of(item, at), at);
  }

  Trace take() {
    builder_.sort_from_zero();
    builder_.note(kind_ == "Workload" ? "users are the queues of Kueue; a workload runs from its admission on"
                                      : "users are namespaces; a job holds the GPUs of all its pods that run "
                                        "at a time from its start to its end");
    return builder_.take();
  }

 private:
  void add(const Json& item, const ClusterJob& found, const Place& at) {
    builder_.row();
    const auto created = moment(text_at(item, "metadata.creationTimestamp"), at);
    if (!created) return builder_.drop(kNoSubmission);
    if (!(found.gpus > 0)) return builder_.drop(kWithoutGpu);
    if (!found.start_s) return builder_.drop(kNeverStarted);
    if (!found.end_s) return builder_.drop(kStillRunning);
    if (*found.end_s < *found.start_s) return builder_.drop(kEndsTooEarly);
    if (!(*found.end_s > *found.start_s)) return builder_.drop(kNoRunTime);
    if (found.gpus > kMostTraceGpus)
      throw InputError(at.pos(), "the job asks for more than 1e6 GPUs" + of_item(at));
    const std::string name = text_at(item, "metadata.name");
    const std::string space = text_at(item, "metadata.namespace");
    TraceJob job{.id = space.empty() ? name : space + "/" + name, .arrival_s = *created, .line = at.line};
    job.gpus = static_cast<std::int32_t>(found.gpus);
    job.work = *found.end_s - *found.start_s;
    job.start_s = found.start_s;
    const Json* priority = member_at(item, "spec.priority");
    if (priority != nullptr && priority->is_number()) {
      job.priority = priority->get<double>();
      if (!(std::abs(job.priority) <= 1e9))
        throw InputError(at.pos(), "the priority is out of bounds" + of_item(at));
    }
    if (!found.user.empty()) job.user = builder_.user(found.user);
    builder_.add(std::move(job));
  }

  const std::string& file_;
  TraceBuilder builder_;
  std::string kind_;
};

Trace read(std::string given, const std::string& file, const Parameters&) {
  const std::string text = std::move(given);
  KubernetesReader reader(file);
  for_each_item(text, file, "items", [&](const Json& item, std::int64_t line) { reader.add(item, line); });
  return reader.take();
}

bool detects(std::string_view text) {
  const std::string_view begin = text.substr(0, 65'536);
  const auto mentions = [&](std::string_view word) { return begin.find(word) != std::string_view::npos; };
  return trim(begin).starts_with('{') && mentions("\"items\"") &&
         (mentions("\"batch/v1\"") || mentions("\"kueue.x-k8s.io/") || mentions("\"apiVersion\""));
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "kubernetes",
            .summary = "Kubernetes: a list of Jobs, or of Workloads of Kueue, as kubectl prints it in JSON",
            .reference = "kubernetes.io: Job (batch/v1); kueue.sigs.k8s.io: Workload"},
           {"kueue", "k8s"},
           detects,
           read}};
}

}  // namespace sextant::jobs::trace_kubernetes
