// Traces of 200,000 jobs: reading them relative to reading the same text as a plain table, and making them up
// relative to reading them. The aims: below 3, and below 1.
#include <sstream>
#include <string>

#include "ratio.h"
#include "sextant/core/csv.h"
#include "sextant/jobs/generator.h"
#include "sextant/jobs/trace_writer.h"

namespace sextant::bench {
namespace {

std::string trace_text() {
  std::ostringstream out;
  write_trace(out, generate_trace(jobs::parse_generator("philly:jobs=200000"), 0));
  return out.str();
}

void read_trace_against_table(benchmark::State& state) {
  const std::string text = trace_text();
  report_ratio(
      state, [&] { return jobs::parse_trace(text, "bench.csv").jobs.size(); },
      [&] { return CsvTable::parse(text, "bench.csv").rows(); });
  state.counters["seconds"] = seconds_of([&] { return jobs::parse_trace(text, "bench.csv").jobs.size(); });
}
BENCHMARK(read_trace_against_table)->UseManualTime()->Unit(benchmark::kMillisecond);

void generate_trace_against_reading(benchmark::State& state) {
  const std::string text = trace_text();
  const jobs::Generator generator = jobs::parse_generator("philly:jobs=200000");
  report_ratio(
      state, [&] { return generate_trace(generator, 0).jobs.size(); },
      [&] { return jobs::parse_trace(text, "bench.csv").jobs.size(); });
}
BENCHMARK(generate_trace_against_reading)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
