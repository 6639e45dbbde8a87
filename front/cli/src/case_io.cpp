#include "case_io.h"

#include <algorithm>
#include <ostream>

#include "field_words.h"

namespace sextant::cli {

CsvTable read_cases(const std::string& file) {
  if (file == "-") return CsvTable::parse(read_text_file("/dev/stdin"), "standard input");
  return CsvTable::read_file(file);
}

void summarize_cases(const Io& io, const std::string& file, const std::vector<std::string_view>& errors) {
  const auto answered = std::ranges::count(errors, std::string_view());
  io.err << "sextant: " << file << ": " << errors.size() << " rows, " << answered << " predicted, "
         << std::ssize(errors) - answered << " with an error";
  const auto failed = [](std::string_view error) { return !error.empty(); };
  if (const auto first = std::ranges::find_if(errors, failed); first != errors.end()) {
    io.err << "; the first in row " << first - errors.begin() + 1 << ": " << said(io, std::string(*first));
  }
  io.err << '\n';
}

}  // namespace sextant::cli
