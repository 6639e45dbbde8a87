// Parts of an instance file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/capacity/instance.h"
#include "sextant/core/csv.h"
#include "sextant/core/toml.h"
#include "throughput_table.h"

namespace sextant::capacity {

inline constexpr std::size_t kMostNodes = 100000;
inline constexpr std::size_t kMostJobs = 1000000;

Seconds time_of(TomlSection& section, std::string_view key);
double within(TomlSection& section, std::string_view key, double low, double high);
std::int32_t count_of(TomlSection& section, std::string_view key, std::int32_t low, std::int32_t high);
std::int32_t type_named(const Snapshot& snapshot, const std::string& name, const SourcePos& at);

// Tables that the file names, if it does.
struct InstanceTables {
  std::optional<Seconds> now = {};  // since 1970, where it is a date
  std::optional<CsvTable> times = {};
  std::optional<ThroughputTable> throughputs = {};
};
InstanceTables tables_of(TomlSection& root, const std::string& file);

// All [[job]].
void read_jobs(TomlSection& root, const InstanceTables& tables, Instance& instance);

}  // namespace sextant::capacity
