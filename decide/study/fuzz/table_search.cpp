// Whatever the table, it is searched or refused: the first column is the group, the last the objective, what
// is between names a configuration and its features.
#include "sextant/study/table_search.h"

#include <cstdint>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostRows = 30;
  constexpr std::size_t kMostColumns = 6;
  try {
    const auto table =
        sextant::CsvTable::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
    if (table.rows() > kMostRows || table.header().size() > kMostColumns) return 0;
    sextant::study::TableSearchRequest request;
    request.group = table.header().front();
    request.objective = table.header().back();
    for (std::size_t i = 1; i + 1 < table.header().size(); ++i) request.config.push_back(table.header()[i]);
    request.features = request.config;
    request.censored = request.group + "=x";
    request.transfer_apart = request.group;
    request.strategies = {"sextant:draws=5", "cherrypick"};
    request.trials = 5;
    request.seeds = 1;
    sextant::NoProgress progress;
    (void)sextant::study::search_table(table, request, progress);
  } catch (const sextant::InputError&) {
  }
  return 0;
}
