// sextant spans: what the spans of a training run say, and their other form.
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/report/span_report.h"

namespace sextant {
namespace {

struct SpansArgs {
  std::string file;
  std::int64_t skip = 0;
  std::vector<std::string> what_if;
  std::string to = "otlp";
};

// "communication=2": so many times as fast; "input=inf": gone.
WhatIf question_of(const std::string& text) {
  const SourcePos at{"--what-if"};
  const auto parts = split(text, '=');
  const std::optional<double> factor = parts.size() == 2 ? to_number(parts[1]) : std::nullopt;
  const bool gone = parts.size() == 2 && parts[1] == "inf";
  if (parts.size() != 2 || parts[0].empty() || (!gone && (!factor || !(*factor > 0)))) {
    throw InputError(at, "'" + text + "' is no question",
                     "as in communication=2, or input=inf for no time at all");
  }
  return {.phase = parts[0], .factor = gone ? std::numeric_limits<double>::infinity() : *factor};
}

int analyze(const SpansArgs& args, const Io& io, const Globals& globals) {
  SpanQuestions questions{.skip = args.skip};
  for (const std::string& text : args.what_if) questions.what_if.push_back(question_of(text));
  const SpanAnalysis analysis = analyze_spans(read_spans(read_text_file(args.file), args.file), questions);
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, span_json(analysis));
    return kDone;
  }
  bool first = true;
  for (const TitledTable& part : span_tables(analysis)) {
    if (globals.chosen_format() != Format::csv) io.out << (first ? "" : "\n") << part.title << "\n\n";
    write_table(io, globals, part.table);
    if (globals.chosen_format() == Format::csv) break;  // one table, as scripts expect
    first = false;
  }
  return kDone;
}

int convert(const SpansArgs& args, const Io& io) {
  const SpanSet set = read_spans(read_text_file(args.file), args.file);
  io.out << (args.to == "otlp" ? to_otlp(set) : to_perfetto(set)).dump() << '\n';
  return kDone;
}

Option file_option(SpansArgs& args) {
  return {.name = "FILE",
          .summary = "spans as Perfetto or OTLP JSON",
          .target = &args.file,
          .positional = true,
          .required = true};
}

}  // namespace

std::vector<Command> command_spans() {
  const auto args = std::make_shared<SpansArgs>();
  return {{.path = "spans analyze",
           .summary = "critical path, exposed communication, stragglers, slow iterations, what-if",
           .details = "",
           .examples = {"sextant spans analyze spans.json --what-if communication=2,input=inf"},
           .options = {file_option(*args),
                       {.name = "skip",
                        .summary = "first iterations to leave out",
                        .target = &args->skip,
                        .value_name = "N",
                        .low = 0},
                       {.name = "what-if",
                        .summary = "phases so many times as fast, as in communication=2",
                        .target = &args->what_if,
                        .value_name = "LIST"}},
           .run = [args](const Io& io, const Globals& globals) { return analyze(*args, io, globals); }},
          {.path = "spans convert",
           .summary = "spans in their other form",
           .details = "",
           .examples = {"sextant spans convert spans.json --to otlp"},
           .options = {file_option(*args),
                       {.name = "to",
                        .summary = "form of the result",
                        .target = &args->to,
                        .value_name = "FORM",
                        .choices = {"perfetto", "otlp"}}},
           .run = [args](const Io& io, const Globals&) { return convert(*args, io); }}};
}

}  // namespace sextant
