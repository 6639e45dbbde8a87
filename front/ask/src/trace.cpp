#include "sextant/ask/trace.h"

#include <algorithm>

#include "sextant/core/text.h"
#include "sextant/jobs/generator.h"
#include "sextant/jobs/throughputs.h"

namespace sextant::ask {
namespace {

std::optional<jobs::ThroughputTable> speeds_table(const TraceSpeeds& speeds) {
  if (!speeds.throughputs) return std::nullopt;
  return jobs::ThroughputTable::read_file(*speeds.throughputs);
}

jobs::TraceSummary summary_by(const jobs::Trace& trace, const std::optional<jobs::ThroughputTable>& table,
                              const std::string& reference) {
  return summarize(trace, reference_durations(trace, table ? &*table : nullptr, reference));
}

}  // namespace

std::string trace_format_of(const std::string& format, const std::vector<std::string>& map) {
  if (map.empty()) return format;
  const std::string csv = "csv";
  if (!format.empty() && format != csv && !format.starts_with(csv + ":")) {
    throw InputError(at_field("map"),
                     "the columns of a CSV are named, and `trace_format` is '" + format + "'",
                     "leave one of them out");
  }
  std::string text = format.empty() ? csv : format;
  std::vector<std::string> meanings;
  for (const ParameterInfo& each : jobs::trace_formats().get(csv).parameters) meanings.push_back(each.name);
  for (const std::string& part : map) {
    const std::size_t equals = part.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == part.size()) {
      throw InputError(at_field("map"), "'" + part + "' does not say which column is which",
                       "as in submit=Submitted,gpus=GPUs,duration=Seconds");
    }
    if (part.find(':') != std::string::npos) {
      throw InputError(at_field("map"), "'" + part + "' has a colon, which separates columns here",
                       "rename the column in the file");
    }
    const std::string meaning = part.substr(0, equals);
    if (std::ranges::find(meanings, meaning) == meanings.end()) {
      throw InputError(at_field("map"), "'" + meaning + "' means nothing here",
                       name_hint(meaning, meanings) + "; on its right stands the name of the column");
    }
    text += ":" + part;
  }
  return text;
}

std::vector<jobs::TraceSummary> summarize_traces(const SummarizeTracesQuestion& question) {
  const std::optional<jobs::ThroughputTable> table = speeds_table(question.speeds);
  std::vector<jobs::TraceSummary> summaries;
  const std::string format = trace_format_of(question.format, question.map);
  for (const std::string& file : question.files) {
    summaries.push_back(summary_by(jobs::read_trace(file, format), table, question.speeds.reference));
  }
  return summaries;
}

jobs::TraceSummary summarize_trace(const jobs::Trace& trace, const TraceSpeeds& speeds) {
  return summary_by(trace, speeds_table(speeds), speeds.reference);
}

TraceAnswer generate_trace(const GenerateTraceQuestion& question) {
  jobs::Generator generator = jobs::parse_generator(question.spec, at_field("spec"));
  if (question.jobs) generator.jobs = *question.jobs;
  if (!question.speeds.reference.empty()) generator.reference_type = question.speeds.reference;
  const std::optional<jobs::ThroughputTable> table = speeds_table(question.speeds);
  return {jobs::generate_trace(generator, question.seed, table ? &*table : nullptr),
          {question.speeds.throughputs, generator.reference_type}};
}

}  // namespace sextant::ask
