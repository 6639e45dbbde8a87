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
  write_result(io, globals, report::spans_result(ask::analyze_spans(question)));
  return kDone;
}

Option file_option(std::string& file) {
  return {.name = "FILE",
          .summary = "spans as Perfetto or OTLP JSON",
          .target = &file,
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
       .summary = "critical path, exposed communication, stragglers, slow iterations, what-if",
       .details = "",
       .examples = {"sextant spans analyze spans.json --what-if communication=2,input=inf"},
       .options = {file_option(question->file),
                   {.name = "skip",
                    .summary = "first iterations to leave out",
                    .target = &question->skip,
                    .value_name = "N",
                    .low = 0},
                   {.name = "what-if",
                    .summary = "phases so many times as fast, as in communication=2",
                    .target = &question->what_if,
                    .value_name = "LIST"}},
       .run = [question](const Io& io, const Globals& globals) { return analyze(*question, io, globals); }},
      {.path = "spans convert",
       .wish = Wish::measure,
       .summary = "spans in their other form",
       .details = "",
       .examples = {"sextant spans convert spans.json --to otlp"},
       .options = {file_option(conversion->file),
                   {.name = "to",
                    .summary = "form of the result",
                    .target = &conversion->to,
                    .value_name = "FORM",
                    .choices = {"perfetto", "otlp"}}},
       .run = [conversion](const Io& io, const Globals&) {
         io.out << ask::convert_spans(*conversion).dump() << '\n';
         return kDone;
       }}};
}

}  // namespace sextant::cli::command_spans
