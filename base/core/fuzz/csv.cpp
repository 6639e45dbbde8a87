// Whatever the bytes, a CSV is read or refused, and every cell can be asked for.
#include "sextant/core/csv.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto table =
        sextant::CsvTable::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (std::size_t column = 0; column < table.header().size(); ++column) {
        (void)table.text(row, column);
        try {
          (void)table.maybe_number(row, column);
        } catch (const sextant::InputError&) {  // not a number: fine, and has a position
        }
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
