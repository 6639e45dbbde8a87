#include "machine_state.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/clock.h"

namespace sextant::measure {
namespace {

// The text behind "name :" in a file of such lines.
std::string value_of(const char* file_name, std::string_view name) {
  std::ifstream file(file_name);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || trim(std::string_view(line).substr(0, colon)) != name) continue;
    return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return {};
}

double meminfo_bytes(std::string_view name) {
  double kib = 0;
  std::istringstream(value_of("/proc/meminfo", name)) >> kib;
  return kib * 1024;
}

std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? to_number(word) : std::nullopt;  // "max" is no number: no limit
}

// Path of this process's group below a controller's mount, cgroup v1 and v2.
std::string cgroup_path(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3) continue;
    const std::vector<std::string> names = split(parts[1], ',');
    const bool wanted = controller.empty() ? parts[1].empty() : std::ranges::count(names, controller) > 0;
    if (wanted) return parts[2] == "/" ? "" : parts[2];
  }
  return {};
}

// Of the files that a group's usage counts, what the kernel gives back without being asked twice.
double cached_files(const std::string& folder) {
  std::ifstream file(folder + "/memory.stat");
  double bytes = 0;
  std::string name;
  for (double value = 0; file >> name >> value;) {
    if (name == "inactive_file" || name == "total_inactive_file") bytes = std::max(bytes, value);
  }
  return bytes;
}

std::optional<double> left_below(const std::string& folder, const char* limit, const char* used) {
  const auto most = number_in(folder + "/" + limit);
  const auto now = number_in(folder + "/" + used);
  if (!most || !now) return {};
  return std::max(0.0, *most - *now + cached_files(folder));
}

// The least of what the group and those above it leave.
std::optional<double> cgroup_room() {
  std::optional<double> least;
  const auto climb = [&](const std::string& mount, std::string path, const char* limit, const char* used) {
    while (true) {
      const auto left = left_below(mount + path, limit, used);
      if (left && (!least || *left < *least)) least = left;
      if (path.empty()) return;
      path.resize(std::min(path.rfind('/'), path.size() - 1));
    }
  };
  climb("/sys/fs/cgroup/memory", cgroup_path("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes");
  climb("/sys/fs/cgroup", cgroup_path(""), "memory.max", "memory.current");
  return least;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double used_by(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::int64_t core_count() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max<std::int64_t>(1, ::sysconf(_SC_NPROCESSORS_ONLN));
}

std::optional<std::string> frequency_governor() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  std::string name;
  return file >> name ? std::optional(name) : std::nullopt;
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

std::vector<std::pair<std::string, std::string>> machine_description() {
  utsname system{};
  ::uname(&system);
  std::vector<std::pair<std::string, std::string>> lines;
  const std::string model = value_of("/proc/cpuinfo", "model name");
  lines.emplace_back("processor", model.empty() ? system.machine : model);
  lines.emplace_back("cores", std::to_string(core_count()));
  lines.emplace_back("memory", human(Bytes{meminfo_bytes("MemTotal")}));
  lines.emplace_back("kernel", std::string(system.sysname) + " " + system.release);
  lines.emplace_back("governor", frequency_governor().value_or("none"));
  lines.emplace_back("load", number_text(std::round(100 * load_average()) / 100));
  return lines;
}

ProcessorTimes processor_times() {
  // user nice system idle iowait irq softirq steal, in ticks
  std::ifstream file("/proc/stat");
  std::string name;
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double wait = 0;
  double irq = 0;
  double soft_irq = 0;
  double steal = 0;
  file >> name >> user >> nice >> system >> idle >> wait >> irq >> soft_irq >> steal;
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return {.wall_s = static_cast<double>(monotonic_ns()) * 1e-9,
          .busy_s = (user + nice + system + irq + soft_irq) / ticks,
          .steal_s = steal / ticks,
          .own_s = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN)};
}

MachineUse use_between(const ProcessorTimes& before, const ProcessorTimes& after) {
  const double wall = after.wall_s - before.wall_s;
  if (!(wall > 0)) return {};
  const double others = (after.busy_s - before.busy_s) - (after.own_s - before.own_s);
  return {.others = std::max(0.0, others / wall),
          .steal = std::max(0.0, (after.steal_s - before.steal_s) / wall)};
}

MemoryRoom memory_room() {
  return {.available = meminfo_bytes("MemAvailable"), .cgroup = cgroup_room()};
}

}  // namespace sextant::measure
