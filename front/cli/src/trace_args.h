// What `sextant trace` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/trace.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

// Where a trace that was read or made up goes.
struct TraceOutput {
  std::string to = "sextant";      // format
  std::optional<std::string> out;  // file; none: the trace is the output
  std::optional<std::int64_t> gpus;
};

struct SummarizeArgs {
  ask::SummarizeTracesQuestion question;
  std::optional<std::int64_t> gpus;
};
struct ConvertArgs {
  std::string file;
  std::string format;
  std::vector<std::string> map;
  TraceOutput output;
};
struct GenerateArgs {
  ask::GenerateTraceQuestion question;
  TraceOutput output;
};

// Which column of a CSV is which.
Option column_map_option(std::vector<std::string>& map);
// The same where it was written as --columns: a list of key=value names columns of a trace, any other the
// columns of the table that is printed. InputError for a list of both.
void take_column_map(std::vector<std::string>& map, Globals& globals);

std::vector<Option> summarize_options(SummarizeArgs& args);
std::vector<Option> convert_options(ConvertArgs& args);
std::vector<Option> generate_options(GenerateArgs& args);

}  // namespace sextant::cli
