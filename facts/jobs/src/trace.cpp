#include "sextant/jobs/trace.h"

#include <algorithm>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"

namespace sextant::jobs {

namespace {

const TraceFormat& detect(std::string_view text, const std::string& file) {
  if (trim(text).empty()) throw InputError({file}, "is empty", "a trace has a job a line");
  const auto& all = trace_formats().all();
  const auto found = std::ranges::find_if(all, [&](const TraceFormat& f) { return f.detects(text); });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const TraceFormat& format : all) names.push_back(format.id);
  throw InputError({file, 1, 1}, "no reader knows traces that begin like this",
                   "readers: " + join(names, ", ") + "; 'sextant describe trace-format NAME' shows one");
}

}  // namespace

Trace parse_trace(std::string text, const std::string& file, std::string_view format) {
  const PluginText chosen =
      format.empty() ? PluginText{.id = detect(text, file).id} : split_plugin_text(format);
  const TraceFormat& reader = trace_formats().get(chosen.id);
  Trace trace = reader.read(std::move(text), file, parameters_of(reader, chosen));
  if (trace.jobs.empty()) {
    std::string why;
    for (const auto& [reason, rows] : trace.dropped) {
      why += (why.empty() ? "dropped: " : ", ") + std::to_string(rows) + " " + reason;
    }
    throw InputError({file}, "has no job that could be run", why);
  }
  return trace;
}

Trace read_trace(const std::string& path, std::string_view format) {
  return parse_trace(read_text_file(path), path, format);
}

}  // namespace sextant::jobs
