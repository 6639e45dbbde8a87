// Whatever the text, it is a generator, whose jobs are sound, or refused with a reason; as one line and as
// TOML.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"
#include "sextant/jobs/generator.h"

namespace {

void generate_few(sextant::jobs::Generator generator) {
  generator.jobs = std::min<std::int64_t>(generator.jobs, 50);
  double before = 0;
  for (const sextant::jobs::TraceJob& job : sextant::jobs::generate_trace(generator, 1).jobs) {
    const bool sound = job.arrival_s >= before && job.work > 0 && std::isfinite(job.work) && job.gpus >= 1;
    if (!sound) std::abort();
    before = job.arrival_s;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // These open files that the text names.
  const bool opens = text.find("gaps") != std::string::npos || text.find("-file") != std::string::npos;
  if (opens || text.ends_with(".toml")) return 0;
  try {
    generate_few(sextant::jobs::parse_generator(text));
  } catch (const sextant::InputError&) {
  }
  try {
    generate_few(sextant::jobs::parse_generator_toml(text, "fuzz.toml"));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
