#include "trace_args.h"

#include <algorithm>

#include "kinds.h"
#include "sextant/jobs/trace_writer.h"

namespace sextant::cli {
namespace {

Option trace_format_option(std::string& format) {
  return {
      .name = "trace-format",
      .summary =
          "format of the trace, if the program does not recognise it; 'philly:attempts=1' sets a parameter",
      .target = &format,
      .value_name = "FORMAT",
      .names = trace_format_names};
}

Option trace_gpus_option(std::optional<std::int64_t>& gpus) {
  return {.name = "gpus",
          .summary = "size of the cluster whose offered load is shown",
          .target = &gpus,
          .value_name = "N",
          .low = 1,
          .high = 1e9};
}

std::vector<Option> trace_speed_options(ask::TraceSpeeds& speeds) {
  return {{.name = "throughputs",
           .summary = "table of measured speeds, which ties steps to seconds",
           .target = &speeds.throughputs,
           .value_name = "FILE"},
          {.name = "reference",
           .summary = "type of GPU in that table",
           .target = &speeds.reference,
           .value_name = "TYPE"}};
}

std::vector<Option> trace_output_options(TraceOutput& output) {
  return {{.name = "to",
           .summary = "format that is written",
           .target = &output.to,
           .value_name = "FORMAT",
           .choices = jobs::trace_output_formats()},
          {.name = "out",
           .summary = "write the trace into this file; without it the trace goes to standard output",
           .target = &output.out,
           .value_name = "FILE",
           .writes = Writes::file},
          trace_gpus_option(output.gpus)};
}

}  // namespace

Option column_map_option(std::vector<std::string>& map) {
  return {.name = "map",
          .summary =
              "which column of a CSV is which: submit=S,gpus=G,duration=D; also start, end, id, user, model",
          .target = &map,
          .value_name = "LIST"};
}

void take_column_map(std::vector<std::string>& map, Globals& globals) {
  const auto is_pair = [](const std::string& item) { return item.find('=') != std::string::npos; };
  const auto pairs = std::ranges::count_if(globals.columns, is_pair);
  if (pairs == 0) return;
  if (static_cast<std::size_t>(pairs) != globals.columns.size()) {
    throw InputError(at_field("columns"), "the list has names of columns and pairs such as gpus=COLUMN",
                     "give the pairs to `map`");
  }
  map.insert(map.end(), globals.columns.begin(), globals.columns.end());
  globals.columns.clear();
}

std::vector<Option> summarize_options(SummarizeArgs& args) {
  std::vector<Option> options = {{.name = "FILE",
                                  .summary = "traces; 'sextant list trace-formats' says of which kinds",
                                  .target = &args.question.files,
                                  .positional = true,
                                  .required = true},
                                 trace_gpus_option(args.gpus),
                                 trace_format_option(args.question.format),
                                 column_map_option(args.question.map)};
  for (Option& option : trace_speed_options(args.question.speeds)) options.push_back(std::move(option));
  return options;
}

std::vector<Option> convert_options(ConvertArgs& args) {
  std::vector<Option> options = {{.name = "FILE",
                                  .summary = "a trace of any known format",
                                  .target = &args.file,
                                  .positional = true,
                                  .required = true},
                                 trace_format_option(args.format),
                                 column_map_option(args.map)};
  for (Option& option : trace_output_options(args.output)) options.push_back(std::move(option));
  return options;
}

std::vector<Option> generate_options(GenerateArgs& args) {
  std::vector<Option> options = {{.name = "SPEC",
                                  .summary = "preset and settings of the generator, or a TOML file",
                                  .target = &args.question.spec,
                                  .positional = true,
                                  .required = true},
                                 {.name = "jobs",
                                  .summary = "number of jobs, whatever SPEC says",
                                  .target = &args.question.jobs,
                                  .value_name = "N",
                                  .low = 1,
                                  .high = 1e8}};
  for (Option& option : trace_speed_options(args.question.speeds)) options.push_back(std::move(option));
  for (Option& option : trace_output_options(args.output)) options.push_back(std::move(option));
  return options;
}

}  // namespace sextant::cli
