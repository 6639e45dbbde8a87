// Any bytes are a table of timed steps, an export of runs that becomes one, or an InputError.
#include "sextant/predict/run_export.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> notes;
  try {
    const CsvTable table = CsvTable::parse(text, "fuzz.csv");
    if (predict::as_measured(table, {}, notes).rows() > table.rows()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
