// Any bytes as a file of systems: systems come out or an InputError does; what comes out can be asked.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/collectives/calibration.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const auto& system : sextant::collectives::read_systems(text, "fuzz.toml", catalog)) {
      const sextant::collectives::CollectiveQuestion question{.bytes = sextant::Bytes{1e6}};
      const auto e =
          sextant::collectives::estimate(sextant::collectives::builtin_calibration(), system, question);
      if (!std::isfinite(e.time.value) || e.time.value <= 0) std::abort();
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
