// Traces of jobs of shared clusters: read or made up, and in figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/jobs/trace.h"
#include "sextant/jobs/trace_summary.h"

namespace sextant::ask {

// What ties steps to seconds.
struct TraceSpeeds {
  std::optional<std::string> throughputs = {};  // file of measured speeds
  std::string reference = "v100";               // type of GPU in that table
};

// The format with which a file is read. `map` says which column of a CSV is which, "submit=Submitted"; it
// stands for the format csv with these parameters. InputError, at field `map`, beside another format.
std::string trace_format_of(const std::string& format, const std::vector<std::string>& map);

struct SummarizeTracesQuestion {
  std::vector<std::string> files = {};
  std::string format = {};            // empty: found out
  std::vector<std::string> map = {};  // see trace_format_of
  TraceSpeeds speeds = {};
};
std::vector<jobs::TraceSummary> summarize_traces(const SummarizeTracesQuestion& question);
jobs::TraceSummary summarize_trace(const jobs::Trace& trace, const TraceSpeeds& speeds);

struct GenerateTraceQuestion {
  std::string spec = {};                   // preset and settings, or a TOML file
  std::optional<std::int64_t> jobs = {};   // whatever the specification says
  TraceSpeeds speeds = {.reference = ""};  // empty: the type that the specification says
  std::uint64_t seed = 0;
};
struct TraceAnswer {
  jobs::Trace trace;
  TraceSpeeds speeds = {};  // that its seconds follow from
};
TraceAnswer generate_trace(const GenerateTraceQuestion& question);

}  // namespace sextant::ask
