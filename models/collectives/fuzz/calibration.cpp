// Any bytes as a calibration: one comes out or an InputError does; what comes out predicts finite times
// and is written and read again unchanged.
#include "sextant/collectives/calibration.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace {

void check(const sextant::collectives::Calibration& calibration) noexcept {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  static const sextant::collectives::Systems systems = sextant::collectives::load_systems(catalog);
  for (const double bytes : {0.0, 1.0, 1e18}) {
    const sextant::collectives::CollectiveQuestion question{
        .gpus = 4, .nodes = 2, .bytes = sextant::Bytes{bytes}};
    const auto e = sextant::collectives::estimate(calibration, systems.get("a100-dgx"), question);
    if (!std::isfinite(e.high.value) || !(e.time.value > 0)) std::abort();
  }
  const auto dump = [](const sextant::collectives::Calibration& c) {
    return sextant::collectives::to_json(c).dump(1, ' ', false, sextant::Json::error_handler_t::replace);
  };
  const std::string text = dump(calibration);
  if (dump(sextant::collectives::calibration_from_json(text, "again.json")) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(sextant::collectives::calibration_from_json(text, "fuzz.json"));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
