// Whatever the bytes, a report is read, with sound times, and written and read again, or refused.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"
#include "sextant/measure/outcome.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sextant::measure::WorkerReport report = sextant::measure::worker_report_from_json(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    for (const sextant::measure::IterationTimes& times : report.iterations) {
      if (!std::isfinite(times.total_s) || times.total_s < 0) std::abort();
    }
    const std::string text = sextant::measure::to_json(report).dump();
    if (sextant::measure::to_json(sextant::measure::worker_report_from_json(text, "again.json")).dump() !=
        text)
      std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
