// Jobs as Slurm's accounting knows them, from the table or the JSON of sacct: which of them count, and what
// becomes of them in a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "trace_builder.h"

namespace sextant::jobs {

// Trackable resources, "cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G".
struct SlurmResources {
  std::optional<double> gpus = {};          // of all types; nothing: none is mentioned
  std::vector<std::string> gpu_types = {};  // of those that name one
  double cpus = 0;                          // 0: not stated
  double memory_gib = 0;                    // 0: not stated
  double typed_gpus = 0;                    // sum over types, where no total is stated

  [[nodiscard]] std::optional<double> all_gpus() const;
  // One resource. `type` and `name` as in "gres/gpu:a100"; the name is empty where there is none.
  void add(const std::string& type, const std::string& name, double count);
};
SlurmResources parse_slurm_resources(std::string_view text, const SourcePos& at);

// How people get the table.
inline constexpr std::string_view kSacctCommand =
    "sacct -a -P -o JobID,User,Submit,Start,End,Elapsed,State,AllocTRES,ReqTRES,Timelimit prints what is "
    "needed";

struct SlurmJob {
  std::string id;
  std::string state;  // first word; empty: not stated
  std::string user;
  std::optional<double> submit_s = {};
  std::optional<double> start_s = {};
  bool started = true;
  bool ended = true;
  double elapsed_s = 0;  // negative: it ends before it starts
  double limit_s = 0;    // 0: none stated
  SlurmResources allocated = {};
  SlurmResources requested = {};
  SourcePos at = {};
};

// Puts jobs that ran on GPUs into a trace, and counts the others with the reason.
class SlurmTrace {
 public:
  SlurmTrace(const std::string& file, bool keep_types);

  void skip_step();  // a step is a part of its job
  void add(const SlurmJob& job);
  Trace take();

 private:
  TraceBuilder builder_;
  bool keep_types_;
  bool types_left_out_ = false;
};

// `sacct --json`.
void read_sacct_json(const std::string& text, const std::string& file, SlurmTrace& trace);

}  // namespace sextant::jobs
