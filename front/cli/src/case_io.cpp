#include "case_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace sextant::cli {

namespace {

std::string standard_input() {
  if (::fcntl(STDIN_FILENO, F_GETFD) < 0) throw InputError({"standard input"}, "standard input is closed");
  return read_text_file("/dev/stdin");
}

}  // namespace

CsvTable read_cases(const std::string& file) {
  if (file == "-") return CsvTable::parse(standard_input(), "standard input");
  return CsvTable::read_file(file);
}

CaseOutput::CaseOutput(const std::optional<std::string>& out, const Io& io)
    : file_(out.value_or(kStandardOutput), io) {}

void CaseOutput::write(const Io& io, const Globals& globals, const report::AnsweredCases& answered) {
  std::ostream& out = file_.stream();
  const Format format = globals.chosen_format();
  const bool csv = format == Format::csv || (format == Format::table && !globals.format_given);
  if (csv && globals.columns.empty()) {
    write_cases_csv(out, answered);
  } else {
    Io there{out, io.err};
    there.words = io.words;
    there.width = io.width;
    Globals asked = globals;
    if (csv) asked.format = "csv";
    write_result(there, asked, cases_result(answered));
  }
  file_.commit();
}

void summarize_cases(const Io& io, const std::string& file, const std::vector<std::string_view>& errors) {
  const auto answered = std::ranges::count(errors, std::string_view());
  std::string text = "sextant: " + file + ": " + std::to_string(errors.size()) + " rows, " +
                     std::to_string(answered) + " predicted, " +
                     std::to_string(std::ssize(errors) - answered) + " with an error";
  const auto failed = [](std::string_view error) { return !error.empty(); };
  if (const auto first = std::ranges::find_if(errors, failed); first != errors.end()) {
    text += "; the first in row " + std::to_string(first - errors.begin() + 1) + ": " + std::string(*first);
  }
  tell(io, text);
}

}  // namespace sextant::cli
