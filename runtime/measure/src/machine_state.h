// The machine during a measurement: what it is, and who else was using it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::measure {

// For the provenance of results: processor, cores, memory, kernel, governor, load.
std::vector<std::pair<std::string, std::string>> machine_description();

std::int64_t core_count();  // that this process may use
// Frequency governor of the first core; none in most virtual machines.
std::optional<std::string> frequency_governor();
double load_average();  // of the last minute

// Counters since boot, in seconds, summed over processors.
struct ProcessorTimes {
  double wall_s = 0;
  double busy_s = 0;   // of all processes
  double steal_s = 0;  // taken by the host of a virtual machine
  double own_s = 0;    // of this process and the children that it has waited for
};
ProcessorTimes processor_times();

// Mean number of cores, over a stretch of time.
struct MachineUse {
  double others = 0;  // cores that processes which are not ours used
  double steal = 0;   // cores that the host took
};
MachineUse use_between(const ProcessorTimes& before, const ProcessorTimes& after);

// Bytes that new processes can get: what the kernel calls available, or less where a cgroup has a limit.
struct MemoryRoom {
  double available = 0;
  std::optional<double> cgroup = {};
  [[nodiscard]] double bytes() const { return cgroup && *cgroup < available ? *cgroup : available; }
};
MemoryRoom memory_room();

}  // namespace sextant::measure
