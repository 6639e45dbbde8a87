// Any bytes as recorded jobs: records come out or an InputError does; what comes out is diagnosed, with times
// and numbers that are never NaN.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"
#include "sextant/queueing/diagnosis.h"

namespace {

void check(const sextant::queueing::JobRecords& records) {
  const auto d = sextant::queueing::diagnose(records, {.servers = 2, .replicates = 1, .most_tested = 40});
  for (const double value : {d.result.utilisation, d.result.waiting.value, d.result.response.value,
                             d.result.in_queue, d.replay.waiting.value, d.replay.response.value}) {
    if (std::isnan(value) || value < 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(sextant::queueing::job_records(sextant::CsvTable::parse(text, "fuzz.csv")));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
