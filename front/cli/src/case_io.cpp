#include "case_io.h"

#include <algorithm>

namespace sextant::cli {

CsvTable read_cases(const std::string& file) {
  if (file == "-") return CsvTable::parse(read_text_file("/dev/stdin"), "standard input");
  return CsvTable::read_file(file);
}

void summarize_cases(const Io& io, const std::string& file, const std::vector<std::string_view>& errors) {
  const auto answered = std::ranges::count(errors, std::string_view());
  std::string line = "sextant: " + file + ": " + std::to_string(errors.size()) + " rows, " +
                     std::to_string(answered) + " predicted, " +
                     std::to_string(std::ssize(errors) - answered) + " with an error";
  const auto failed = [](std::string_view error) { return !error.empty(); };
  if (const auto first = std::ranges::find_if(errors, failed); first != errors.end()) {
    line += "; the first in row " + std::to_string(first - errors.begin() + 1) + ": " + std::string(*first);
  }
  tell(io, line);
}

}  // namespace sextant::cli
