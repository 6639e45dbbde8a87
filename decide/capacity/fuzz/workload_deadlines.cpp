// Any bytes, as two tables behind a line of "--", make either a workload whose jobs can run or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/capacity/workload_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kBorder = "\n--\n";
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t border = text.find(kBorder);
  if (border == std::string::npos) return 0;
  const sextant::clusters::Cluster cluster{.name = "c",
                                           .pools = {{.type = "a100", .gpus = 20, .per_node = 8}}};
  try {
    const sextant::CsvTable trace = sextant::CsvTable::parse(text.substr(0, border), "trace.csv");
    const sextant::CsvTable rates =
        sextant::CsvTable::parse(text.substr(border + kBorder.size()), "rates.csv");
    const auto workload =
        sextant::capacity::deadline_workload({.trace = trace, .throughputs = rates}, cluster);
    if (workload.nodes.size() != 3 || workload.jobs.empty()) std::abort();
    for (const sextant::capacity::WorkloadJob& job : workload.jobs) {
      if (job.options.empty() || job.due < job.submit) std::abort();
      for (const sextant::capacity::JobOption& option : job.options) {
        if (!(option.time.value > 0) || option.gpus > 16) std::abort();
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
