#include "sextant/jobs/trace.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "unknown_trace.h"

namespace sextant::jobs {

namespace {

const TraceFormat& detect(std::string_view text, const std::string& file) {
  if (trim(text).empty()) throw InputError({file}, "the file is empty", "a trace has one job per line");
  const auto& all = trace_formats().all();
  const auto found = std::ranges::find_if(all, [&](const TraceFormat& f) { return f.detects(text); });
  if (found != all.end()) return *found;
  throw unknown_beginning(text, file);
}

// Outputs and messages name jobs by their ids.
void number_nameless(Trace& trace) {
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    if (trace.jobs[i].id.empty()) trace.jobs[i].id = std::to_string(i);
  }
}

void refuse_duplicates(const Trace& trace, const std::string& file) {
  std::unordered_map<std::string_view, std::int64_t> lines;
  lines.reserve(trace.jobs.size());
  for (const TraceJob& job : trace.jobs) {
    const auto [first, fresh] = lines.emplace(job.id, job.line);
    if (fresh) continue;
    const auto [earlier, later] = std::minmax(first->second, job.line);
    throw InputError({file, static_cast<int>(later), 1},
                     "the job id '" + job.id + "' is that of line " + std::to_string(earlier) + " already",
                     trace.format == "sacct" ? "run sacct without duplicates of requeued jobs"
                                             : "each job needs an id of its own");
  }
}

}  // namespace

Trace parse_trace(std::string text, const std::string& file, std::string_view format) {
  const SourcePos at = at_field("trace_format");
  const PluginText chosen =
      format.empty() ? PluginText{.id = detect(text, file).id} : split_plugin_text(format, at);
  const TraceFormat& reader = trace_formats().get(chosen.id, at);
  Trace trace = reader.read(std::move(text), file, parameters_of(reader, chosen, at));
  number_nameless(trace);
  refuse_duplicates(trace, file);
  if (trace.jobs.empty()) {
    std::string why;
    for (const auto& [reason, rows] : trace.dropped) {
      why += (why.empty() ? "dropped: " : ", ") + std::to_string(rows) + " " + reason;
    }
    throw InputError({file}, "the trace has no job that could be run",
                     why.empty() ? "its list of jobs is empty" : why);
  }
  return trace;
}

Trace read_trace(const std::string& path, std::string_view format) {
  return parse_trace(read_text_file(path), path, format);
}

}  // namespace sextant::jobs
