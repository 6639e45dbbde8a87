// sextant spans: what the spans of a training run say, and their other form.
#include "sextant/ask/spans.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/span_report.h"

namespace sextant::cli::command_spans {
namespace {

int analyze(const ask::SpansQuestion& question, const Io& io, const Globals& globals) {
  const ask::SpansAnswer answer = ask::analyze_spans(question);
  for (const std::string& warning : report::spans_warnings(answer)) warn(io, warning);
  write_result(io, globals, report::spans_result(answer));
  return kDone;
}

Option file_option(std::vector<std::string>& files) {
  return {.name = "FILE",
          .summary =
              "spans as Perfetto or OTLP JSON, or what PyTorch's profiler exported: one file for each rank",
          .target = &files,
          .positional = true,
          .required = true};
}

}  // namespace

std::vector<Command> plugin() {
  const auto question = std::make_shared<ask::SpansQuestion>();
  const auto conversion = std::make_shared<ask::SpansConvertQuestion>();
  return {
      {.path = "spans analyze",
       .wish = Wish::measure,
       .summary = "say where the time of training goes, from recorded spans or a PyTorch profile",
       .details = "Spans of `sextant measure` give the critical path, communication that nothing hides, "
                  "workers that "
                  "hold the others up, slow iterations, and what a faster part would save.\n"
                  "A recording of torch.profiler (export_chrome_trace, also packed by gzip) gives where the "
                  "time of a "
                  "step goes, slow steps, and the operators and kernels that take most.",
       .examples = {"sextant spans analyze spans.json --what-if communication=2,input=inf",
                    "sextant spans analyze trace.rank0.json.gz trace.rank1.json.gz --skip 1"},
       .options = {file_option(question->file),
                   {.name = "skip",
                    .summary = "leave out this number of iterations, or steps, at the start",
                    .target = &question->skip,
                    .value_name = "N",
                    .low = 0},
                   {.name = "what-if",
                    .summary = "answer what a faster phase would save: communication=2 is twice as fast, "
                               "input=inf takes no time",
                    .target = &question->what_if,
                    .value_name = "LIST"}},
       .run = [question](const Io& io, const Globals& globals) { return analyze(*question, io, globals); }},
      {.path = "spans convert",
       .wish = Wish::measure,
       .summary = "write spans in another form: Perfetto's or OpenTelemetry's",
       .details = "The result goes to standard output.",
       .examples = {"sextant spans convert spans.json --to otlp",
                    "sextant spans convert trace.rank0.json.gz trace.rank1.json.gz --to perfetto"},
       .options = {file_option(conversion->file),
                   {.name = "to",
                    .summary = "the form to write",
                    .target = &conversion->to,
                    .value_name = "FORM",
                    .choices = {"perfetto", "otlp"}}},
       .run = [conversion](const Io& io, const Globals&) {
         io.out << ask::convert_spans(*conversion).dump() << '\n';
         return kDone;
       }}};
}

}  // namespace sextant::cli::command_spans
