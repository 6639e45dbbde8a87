// Reading CSV, relative to touching each byte of the same text once.
#include "sextant/core/csv.h"

#include <sstream>
#include <string>

#include "csv_copy.h"
#include "ratio.h"

namespace sextant::bench {

std::size_t copied_csv(const std::string& text) {
  const CsvTable table = CsvTable::parse(text, "cases.csv");
  std::ostringstream out;
  std::vector<std::string> fields(table.header().size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < fields.size(); ++c) fields[c] = table.text(row, c);
    write_csv_row(out, fields);
  }
  return out.str().size();
}

namespace {

std::string sample(int rows) {
  std::string text = "machine,gpus,iteration_s\n";
  for (int row = 0; row < rows; ++row) text += "\"m" + std::to_string(row % 97) + "\",8,0.125\n";
  return text;
}

void csv_against_byte_scan(benchmark::State& state) {
  const std::string text = sample(static_cast<int>(state.range(0)));
  report_ratio(
      state, [&] { return CsvTable::parse(text, "sample.csv").rows(); },
      [&] { return std::ranges::count(text, '\n') + std::ranges::count(text, ','); });
}
BENCHMARK(csv_against_byte_scan)->Arg(1000)->Arg(100000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
