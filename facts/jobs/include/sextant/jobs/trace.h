// A trace: jobs as they were submitted to a shared cluster, whatever format they came in. A reader per public
// format stands in facts/jobs/traces, one file each; what they drop is counted, with the reason.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/registry.h"

namespace sextant::jobs {

// What TraceJob::work counts.
enum class WorkUnit { steps, reference_seconds };

struct TraceJob {
  std::string id;           // as the file names it; else its place among the jobs, from 0
  double arrival_s = 0;     // never falls from job to job
  std::int32_t gpus = 1;    // a gang: all of them or none
  std::int32_t model = -1;  // in Trace::models; -1: not stated
  std::int32_t user = -1;   // user, group or virtual cluster, in Trace::users; -1: not stated
  double work = 0;          // positive; steps, or seconds with all its GPUs on the reference type
  double weight = 1;        // share that it is entitled to
  double priority = 0;      // larger goes first
  double deadline_s = std::numeric_limits<double>::infinity();  // on the clock of the arrivals
  std::optional<double> start_s =
      {};                 // when it really started, on the clock of the arrivals; nothing: not recorded
  double estimate_s = 0;  // run time that the user stated; 0: none
  double gpu_share = 1;   // of each of its GPUs, where several jobs may share one
  double cpus = 0;        // 0: not stated
  double memory_gib = 0;  // 0: not stated
  std::vector<std::string> types = {};  // kinds of GPU that it may use; empty: any
  std::int64_t line = 0;                // in the source, from 1; 0: made by the generator
};

// Why rows of Slurm's accounting are dropped that are no jobs of their own.
inline constexpr const char* kStepOfJob = "a step of a job";

struct Trace {
  std::string source;  // file, or the specification of the generator
  std::string format;  // id of its reader; "generated"
  WorkUnit unit = WorkUnit::reference_seconds;
  std::vector<TraceJob> jobs = {};
  std::vector<std::string> models = {};  // "ResNet-50 (batch size 64)"
  std::vector<std::string> users = {};
  std::int64_t rows = 0;                             // in the source
  std::map<std::string, std::int64_t> dropped = {};  // reason -> rows
  std::vector<std::string> notes = {};               // what the reader had to assume, for people
};

struct TraceFormat : PluginInfo {
  static constexpr PluginKind kKind = {"trace-format", "trace-formats", "files of jobs that can be read",
                                       "trace format"};

  std::vector<std::string> aliases = {};
  // Looks at the first lines only.
  bool (*detects)(std::string_view text) = nullptr;
  Trace (*read)(std::string text, const std::string& file, const Parameters& parameters) = nullptr;
};

// All files of facts/jobs/traces, sorted by id.
const Registry<TraceFormat>& trace_formats();

// By its format, which may set parameters ("philly:attempts=1"), or by the one that detects it. InputError
// with position and hint.
Trace parse_trace(std::string text, const std::string& file, std::string_view format = {});
Trace read_trace(const std::string& path, std::string_view format = {});

}  // namespace sextant::jobs
