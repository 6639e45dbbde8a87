// Any bytes as a log of failures: logs come out or an InputError does; what comes out is replayed, with
// goodputs between 0 and 1.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"
#include "sextant/failures/forecast.h"

namespace {

constexpr std::int64_t kMostNodes = 1000;

void check(const sextant::failures::FailureLog& log) {
  if (log.nodes > kMostNodes) return;
  const sextant::failures::InterruptionCosts costs{.checkpoint = sextant::Seconds{60},
                                                   .restart = sextant::Seconds{600}};
  for (const auto& job : draw_jobs(log, log.nodes, 1, sextant::Rng(1))) {
    const double share = goodput(job, costs, sextant::kHour);
    if (!(share >= 0 && share <= 1)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const auto& log : sextant::failures::read_failure_logs(sextant::CsvTable::parse(text, "fuzz.csv")))
      check(log);
  } catch (const sextant::InputError&) {
  }
  return 0;
}
