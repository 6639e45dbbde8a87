#include "sextant/ask/trace.h"

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

std::vector<jobs::TraceSummary> summarize_traces(const SummarizeTracesQuestion& question) {
  const std::optional<jobs::ThroughputTable> table = speeds_table(question.speeds);
  std::vector<jobs::TraceSummary> summaries;
  for (const std::string& file : question.files) {
    summaries.push_back(
        summary_by(jobs::read_trace(file, question.format), table, question.speeds.reference));
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
