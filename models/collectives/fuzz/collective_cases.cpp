// Any bytes as a file of cases: each row has a finite answer or says why not; as measurements, rows or an
// InputError come out.
#include "sextant/collectives/collective_cases.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/collectives/calibration_fit.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  static const sextant::collectives::Systems systems = sextant::collectives::load_systems(catalog);
  try {
    const auto table =
        sextant::CsvTable::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
    const sextant::collectives::CollectiveContext context{catalog, systems,
                                                          sextant::collectives::builtin_calibration()};
    for (const auto& answer : sextant::collectives::answer_collectives(table, context)) {
      if (answer.error.empty() && !std::isfinite(answer.estimate.high.value)) std::abort();
    }
    for (const auto& row : sextant::collectives::read_timed(table, systems, catalog)) {
      if (!(row.time.value > 0)) std::abort();
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
