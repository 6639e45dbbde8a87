// Any bytes, as three tables behind lines of "--", make either workloads whose jobs can run or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/capacity/workload_files.h"

namespace {

std::string part_of(const std::string& text, int part) {
  constexpr std::string_view kBorder = "\n--\n";
  std::size_t begin = 0;
  for (int i = 0; i < part; ++i) {
    const std::size_t border = text.find(kBorder, begin);
    if (border == std::string::npos) return {};
    begin = border + kBorder.size();
  }
  return text.substr(begin, text.find(kBorder, begin) - begin);
}

void check(const sextant::capacity::Workload& workload) {
  if (workload.nodes.empty() || workload.jobs.empty()) std::abort();
  for (const sextant::capacity::WorkloadJob& job : workload.jobs) {
    if (job.options.empty() || job.due < job.submit) std::abort();
    for (const sextant::capacity::JobOption& option : job.options) {
      const bool known = option.type >= 0 && static_cast<std::size_t>(option.type) < workload.types.size();
      if (!known || !(option.time.value > 0) || option.gpus < 1) std::abort();
    }
  }
}

// Any network takes an hour on a GPU of the first machine.
std::vector<sextant::capacity::JobOption> an_hour(
    const sextant::capacity::TrainedNetwork& network,
    const std::vector<sextant::capacity::MachineType>& /*types*/) {
  if (network.samples < 1 || network.batch < 1 || !(network.epochs > 0)) std::abort();
  return {{.type = 0, .gpus = 1, .time = sextant::kHour}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const sextant::CsvTable jobs = sextant::CsvTable::parse(part_of(text, 0), "jobs.csv");
    const sextant::CsvTable times = sextant::CsvTable::parse(part_of(text, 1), "times.csv");
    const sextant::CsvTable machines = sextant::CsvTable::parse(part_of(text, 2), "machines.csv");
    for (const auto& workload : sextant::capacity::workloads_of({.jobs = jobs,
                                .times = &times,
                                .machines = machines,
                                .catalog = catalog,
                                .network_times = an_hour})) {
      check(workload);
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
