// sextant trace: jobs of shared clusters, summarized, converted and made up.
#include <memory>

#include "output_file.h"
#include "sextant/cli/run.h"
#include "sextant/jobs/generator.h"
#include "sextant/jobs/trace_writer.h"
#include "sextant/report/trace_report.h"
#include "trace_args.h"

namespace sextant::cli::command_trace {
namespace {

int summarize(SummarizeArgs args, const Io& io, Globals globals) {
  take_column_map(args.question.map, globals);
  write_result(io, globals, report::traces_result(ask::summarize_traces(args.question), args.gpus));
  return kDone;
}

// To a file, with the summary as the result; or the trace itself as the result.
int write_out(const ask::TraceAnswer& made, const TraceOutput& output, const Io& io, const Globals& globals) {
  OutputFile out(output.out.value_or(kStandardOutput), io);
  write_trace(out.stream(), made.trace, output.to);
  out.commit();
  if (!output.out) return kDone;
  write_result(io, globals,
               report::traces_result({ask::summarize_trace(made.trace, made.speeds)}, output.gpus));
  return kDone;
}

int convert(ConvertArgs args, const Io& io, Globals globals) {
  take_column_map(args.map, globals);
  const std::string format = ask::trace_format_of(args.format, args.map);
  return write_out({jobs::read_trace(args.file, format), {}}, args.output, io, globals);
}

int generate(const GenerateArgs& args, const Io& io, const Globals& globals) {
  ask::GenerateTraceQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  return write_out(ask::generate_trace(question), args.output, io, globals);
}

std::string generate_details() {
  std::string text =
      "SPEC is a preset and settings, 'gavel:jobs=500:interarrival=12min', or a file of them that ends "
      "in .toml. Presets:";
  for (const jobs::GeneratorPreset& preset : jobs::generator_presets().all()) {
    text += "\n- " + preset.id + ": " + preset.summary;
  }
  text += "\n\nSettings:";
  for (const jobs::GeneratorSetting& setting : jobs::generator_settings()) {
    text += "\n- " + setting.name + ": " + setting.summary;
  }
  return text;
}

}  // namespace

std::vector<Command> plugin() {
  const auto summarized = std::make_shared<SummarizeArgs>();
  const auto converted = std::make_shared<ConvertArgs>();
  const auto generated = std::make_shared<GenerateArgs>();
  return {
      {.path = "trace summarize",
       .wish = Wish::share,
       .summary = "jobs, sizes, durations and load of traces, and what was dropped",
       .details = "The offered load is arrivals per second times mean GPU-seconds over the GPUs: above 1 the "
                  "jobs pile up.",
       .examples = {"sextant trace summarize philly_jobs.csv --gpus 2490",
                    "sextant trace summarize jobs.trace --throughputs speeds.json --reference v100"},
       .options = summarize_options(*summarized),
       .run = [summarized](const Io& io, const Globals& g) { return summarize(*summarized, io, g); }},
      {.path = "trace convert",
       .wish = Wish::share,
       .summary = "write a trace in another format",
       .details = "Sextant's own CSV keeps every field exactly. Gavel's format holds steps of named models.",
       .examples = {"sextant trace convert cluster_job_log --out jobs.csv"},
       .options = convert_options(*converted),
       .run = [converted](const Io& io, const Globals& g) { return convert(*converted, io, g); }},
      {.path = "trace generate",
       .wish = Wish::share,
       .summary = "make up a trace",
       .details = generate_details(),
       .examples = {"sextant trace generate philly:jobs=2000 --seed 7 --out jobs.csv --gpus 128",
                    "sextant trace generate gavel:exact=1:interarrival=720 --throughputs speeds.json --to "
                    "gavel --out jobs.trace"},
       .options = generate_options(*generated),
       .run = [generated](const Io& io, const Globals& g) { return generate(*generated, io, g); }}};
}

}  // namespace sextant::cli::command_trace
