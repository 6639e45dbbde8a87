// Reading CSV, relative to touching each byte of the same text once.
#include "sextant/core/csv.h"

#include <string>

#include "ratio.h"

namespace sextant::bench {
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
