// Whatever the table, it is analysed or refused: the last column is the response, the first the workload.
#include "sextant/analysis/analysis.h"

#include <cstdint>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostRows = 40;
  constexpr std::size_t kMostColumns = 6;
  try {
    const auto table =
        sextant::CsvTable::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
    if (table.rows() > kMostRows || table.header().size() > kMostColumns) return 0;
    const std::string response = table.header().back();
    const std::string first = table.header().front();
    (void)sextant::analysis::analyze(sextant::analysis::analysis_table(table, {.response = response}));
    (void)sextant::analysis::analyze(
        sextant::analysis::analysis_table(table,
                                          {.response = response, .group = first, .censored = first + "=x"}),
        {.scaling = first});
  } catch (const sextant::InputError&) {
  }
  return 0;
}
