// Any bytes as a table of placements: rows come out or an InputError does; what comes out can be fitted.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/scaling/fit.h"
#include "sextant/scaling/row.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostRows = 40;  // a fit of more takes too long here
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto rows = sextant::scaling::read_scaling_rows(sextant::CsvTable::parse(text, "fuzz.csv"));
    if (rows.size() > kMostRows) return 0;
    sextant::NoProgress quiet;
    const auto model = sextant::scaling::fit_scaling(rows, {}, quiet);
    for (const auto& row : rows) {
      if (!std::isfinite(predict_step(model, row.at).predicted.value)) std::abort();
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
