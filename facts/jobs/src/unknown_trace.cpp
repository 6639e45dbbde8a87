#include "unknown_trace.h"

#include <array>

#include "sextant/core/text.h"
#include "sextant/jobs/trace.h"
#include "slurm_job.h"

namespace sextant::jobs {
namespace {

constexpr std::size_t kMostNames = 12;  // of columns in a hint

// Words between blanks, as `sacct` and `squeue` print them for people.
bool is_sacct_for_people(std::string_view first) {
  return trim(first).starts_with("JobID") && first.find('|') == std::string_view::npos &&
         first.find(',') == std::string_view::npos;
}

// The character that parts the columns of a header; 0: it looks like none.
char separator_of(std::string_view first) {
  for (const char each : std::array{',', ';', '\t', '|'}) {
    if (first.find(each) != std::string_view::npos) return each;
  }
  return 0;
}

std::string readers_hint() {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats().all()) names.push_back(format.id);
  return "readers: " + join(names, ", ");
}

InputError unknown_table(std::string_view first, const SourcePos& at) {
  const char separator = separator_of(first);
  if (separator != ',') {
    return {at,
            "columns are separated by " +
                std::string(separator == '\t' ? "tabs" : "'" + std::string(1, separator) + "'"),
            "separate them by commas"};
  }
  std::vector<std::string> columns = split(first.substr(0, 2000), ',');
  const bool more = columns.size() > kMostNames;
  if (more) columns.resize(kMostNames);
  return {at, "this is a table of jobs, and nothing says which column is which",
          "`map` submit=COLUMN,gpus=COLUMN,duration=COLUMN says it; columns: " + join(columns, ", ") +
              (more ? ", ..." : "")};
}

}  // namespace

InputError unknown_beginning(std::string_view text, const std::string& file) {
  const SourcePos at{file, 1, 1};
  const std::string_view first = first_line(text);
  if (is_sacct_for_people(first)) {
    return {at, "this looks like the output of sacct for people, whose columns are cut off",
            std::string(kSacctCommand)};
  }
  const std::string_view begin = trim(first);
  const bool json = begin.starts_with('{') || begin.starts_with('[');
  if (!json && separator_of(first) != 0) return unknown_table(first, at);
  return {at, "no reader knows traces that begin like this", readers_hint()};
}

}  // namespace sextant::jobs
