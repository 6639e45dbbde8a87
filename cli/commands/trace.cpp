// sextant trace: jobs of shared clusters, summarized, converted and made up.
#include <memory>
#include <nlohmann/json.hpp>

#include "kinds.h"
#include "output_file.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/jobs/generator.h"
#include "sextant/jobs/trace_writer.h"
#include "sextant/report/trace_report.h"

namespace sextant {
namespace {

struct TraceArgs {
  std::vector<std::string> files;
  std::string file;  // or the specification of a generator
  std::string format;
  std::optional<std::string> throughputs;
  std::string reference = "v100";
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> jobs;
  std::string to = "sextant";
  std::optional<std::string> out;
};

std::optional<ThroughputTable> table_of(const TraceArgs& args) {
  if (!args.throughputs) return std::nullopt;
  return ThroughputTable::read_file(*args.throughputs);
}

void write_summaries(const std::vector<TraceSummary>& summaries, const TraceArgs& args, const Io& io,
                     const Globals& globals) {
  if (globals.chosen_format() != Format::json) {
    return write_table(io, globals, traces_table(summaries, args.gpus));
  }
  Json list = Json::array();
  for (const TraceSummary& summary : summaries) list.push_back(to_json(summary, args.gpus));
  write_json(io, globals, list.size() == 1 ? list.front() : list);
}

TraceSummary summary_of(const Trace& trace, const std::optional<ThroughputTable>& table,
                        const TraceArgs& args) {
  return summarize(trace, reference_durations(trace, table ? &*table : nullptr, args.reference));
}

int summarize_traces(const TraceArgs& args, const Io& io, const Globals& globals) {
  const std::optional<ThroughputTable> table = table_of(args);
  std::vector<TraceSummary> summaries;
  for (const std::string& file : args.files) {
    summaries.push_back(summary_of(read_trace(file, args.format), table, args));
  }
  write_summaries(summaries, args, io, globals);
  return kDone;
}

// To a file, with the summary as the result; or the trace itself as the result.
void write_out(const Trace& trace, const TraceArgs& args, const Io& io, const Globals& globals) {
  if (!args.out) return write_trace(io.out, trace, args.to);
  OutputFile out(*args.out);
  write_trace(out.stream(), trace, args.to);
  out.commit();
  write_summaries({summary_of(trace, table_of(args), args)}, args, io, globals);
}

int convert_trace(const TraceArgs& args, const Io& io, const Globals& globals) {
  write_out(read_trace(args.file, args.format), args, io, globals);
  return kDone;
}

int generate(const TraceArgs& args, const Io& io, const Globals& globals) {
  Generator generator = parse_generator(args.file, {"SPEC"});
  if (args.jobs) generator.jobs = *args.jobs;
  generator.reference_type = args.reference.empty() ? generator.reference_type : args.reference;
  const std::optional<ThroughputTable> table = table_of(args);
  const auto seed = static_cast<std::uint64_t>(globals.seed);
  const Trace trace = generate_trace(generator, seed, table ? &*table : nullptr);
  TraceArgs known = args;
  known.reference = generator.reference_type;
  write_out(trace, known, io, globals);
  return kDone;
}

Option format_option(TraceArgs& args) {
  return {
      .name = "trace-format",
      .summary = "format of the trace, where it is not to be found out; 'philly:attempts=1' sets a parameter",
      .target = &args.format,
      .value_name = "FORMAT",
      .names = trace_format_names};
}

std::vector<Option> table_options(TraceArgs& args) {
  return {{.name = "throughputs",
           .summary = "table of measured speeds, which ties steps to seconds",
           .target = &args.throughputs,
           .value_name = "FILE"},
          {.name = "reference",
           .summary = "type of GPU in that table",
           .target = &args.reference,
           .value_name = "TYPE"}};
}

std::vector<Option> output_options(TraceArgs& args) {
  return {{.name = "to",
           .summary = "format that is written",
           .target = &args.to,
           .value_name = "FORMAT",
           .choices = trace_output_formats()},
          {.name = "out",
           .summary = "file that is written; without it the trace is the output",
           .target = &args.out,
           .value_name = "FILE"},
          {.name = "gpus",
           .summary = "size of the cluster whose offered load is shown",
           .target = &args.gpus,
           .value_name = "N",
           .low = 1,
           .high = 1e9}};
}

Command summarize_command() {
  const auto args = std::make_shared<TraceArgs>();
  std::vector<Option> options = {{.name = "FILE",
                                  .summary = "traces; 'sextant list trace-formats' says of which kinds",
                                  .target = &args->files,
                                  .positional = true,
                                  .required = true},
                                 {.name = "gpus",
                                  .summary = "size of the cluster whose offered load is shown",
                                  .target = &args->gpus,
                                  .value_name = "N",
                                  .low = 1,
                                  .high = 1e9},
                                 format_option(*args)};
  for (Option& option : table_options(*args)) options.push_back(std::move(option));
  return {.path = "trace summarize",
          .summary = "jobs, sizes, durations and load of traces, and what was dropped",
          .details =
              "The offered load is arrivals per second times mean GPU-seconds over the GPUs: above 1 the "
              "jobs pile up.",
          .examples = {"sextant trace summarize philly_jobs.csv --gpus 2490",
                       "sextant trace summarize jobs.trace --throughputs speeds.json --reference v100"},
          .options = std::move(options),
          .run = [args](const Io& io, const Globals& g) { return summarize_traces(*args, io, g); }};
}

Command convert_command() {
  const auto args = std::make_shared<TraceArgs>();
  std::vector<Option> options = {{.name = "FILE",
                                  .summary = "a trace of any known format",
                                  .target = &args->file,
                                  .positional = true,
                                  .required = true},
                                 format_option(*args)};
  for (Option& option : output_options(*args)) options.push_back(std::move(option));
  return {
      .path = "trace convert",
      .summary = "write a trace in another format",
      .details = "Sextant's own CSV keeps every field exactly. Gavel's format holds steps of named models.",
      .examples = {"sextant trace convert cluster_job_log --out jobs.csv"},
      .options = std::move(options),
      .run = [args](const Io& io, const Globals& g) { return convert_trace(*args, io, g); }};
}

std::string generate_details() {
  std::string text =
      "SPEC is a preset and settings, 'gavel:jobs=500:interarrival=12min', or a file of them that ends "
      "in .toml. Presets:";
  for (const GeneratorPreset& preset : generator_presets().all()) {
    text += "\n- " + preset.id + ": " + preset.summary;
  }
  text += "\nSettings:";
  for (const GeneratorSetting& setting : generator_settings()) {
    text += "\n- " + setting.name + ": " + setting.summary;
  }
  return text;
}

Command generate_command() {
  const auto args = std::make_shared<TraceArgs>();
  args->reference = "";  // what the specification says
  std::vector<Option> options = {{.name = "SPEC",
                                  .summary = "preset and settings of the generator, or a TOML file",
                                  .target = &args->file,
                                  .positional = true,
                                  .required = true},
                                 {.name = "jobs",
                                  .summary = "number of jobs, whatever SPEC says",
                                  .target = &args->jobs,
                                  .value_name = "N",
                                  .low = 1,
                                  .high = 1e8}};
  for (Option& option : table_options(*args)) options.push_back(std::move(option));
  for (Option& option : output_options(*args)) options.push_back(std::move(option));
  return {.path = "trace generate",
          .summary = "make up a trace",
          .details = generate_details(),
          .examples =
              {"sextant trace generate philly:jobs=2000 --seed 7 --out jobs.csv --gpus 128",
               "sextant trace generate gavel:exact=1:interarrival=720 --throughputs speeds.json --to gavel "
               "--out jobs.trace"},
          .options = std::move(options),
          .run = [args](const Io& io, const Globals& g) { return generate(*args, io, g); }};
}

}  // namespace

std::vector<Command> command_trace() {
  return {summarize_command(), convert_command(), generate_command()};
}

}  // namespace sextant
