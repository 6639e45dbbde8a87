// Whatever the bytes, a trace is read by some format or refused with a reason; what is read can be written
// and read again.
#include "sextant/jobs/trace.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "sextant/core/error.h"
#include "sextant/jobs/trace_writer.h"

namespace {

// The first byte chooses a format, so that damaged headers still reach its reader; 'a' leaves the choice to
// detection.
std::string format_of(std::uint8_t byte) {
  const auto& all = sextant::jobs::trace_formats().all();
  const std::size_t place = static_cast<std::size_t>(byte - 'a') % (all.size() + 1);
  return place == 0 ? "" : all[place - 1].id;
}

std::optional<sextant::jobs::Trace> read(const std::string& text, const std::string& format) {
  try {
    return sextant::jobs::parse_trace(text, "fuzz", format);
  } catch (const sextant::InputError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto trace = read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), format_of(data[0]));
  if (!trace) return 0;
  std::ostringstream out;
  sextant::jobs::write_trace(out, *trace);
  const sextant::jobs::Trace again = sextant::jobs::parse_trace(out.str(), "written", "sextant");
  if (again.jobs.size() != trace->jobs.size()) std::abort();
  return 0;
}
