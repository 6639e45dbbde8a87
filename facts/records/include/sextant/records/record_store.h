// Append-only records in an SQLite file. When append() returns, its records are on disk: the
// write-ahead log is synced at every commit, so they survive kill -9 and power loss
// (https://sqlite.org/wal.html). Writers in several processes take turns; none loses a record.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/records/record.h"

namespace sextant::records {

enum class StoreMode { read_only, read_write };

struct StoreOptions {
  StoreMode mode = StoreMode::read_only;
  std::chrono::milliseconds patience{30'000};  // how long to wait for another writer
};

struct RecordFilter {
  std::string kind = {};   // empty: every kind
  std::string since = {};  // date of provenance, "2024-05-01" or "2024-05-01T10:00:00Z"; empty: always
  std::optional<std::int64_t> limit = {};  // the first so many, in the order they were stored
};

struct AppendReport {
  std::int64_t added = 0;
  std::int64_t already_there = 0;

  bool operator==(const AppendReport&) const = default;
};

// Whether records could be appended there, before the work whose records they are: InputError and SystemError
// as for opening. What is there is opened; a file that is not there yet is not made.
void check_can_append(const std::string& location);

// One store per thread, and none carried across fork().
class RecordStore {
 public:
  // `location` is a path, or ":memory:". Writing creates the file; its folder must exist.
  // InputError: no such file, a folder, not a database, another program's, damaged, or of a newer
  // version. SystemError: no permission, disk full, another writer that does not finish.
  static RecordStore open(const std::string& location, const StoreOptions& options = {});

  RecordStore(RecordStore&&) noexcept;
  RecordStore& operator=(RecordStore&&) noexcept;
  ~RecordStore();

  // All of them or, when it throws, none that was acknowledged. A record whose id is stored already
  // is counted and left alone; InputError when the stored one is a different measurement.
  AppendReport append(std::span<const Record> records);
  AppendReport append(const Record& record);

  [[nodiscard]] std::vector<Record> read(const RecordFilter& filter = {}) const;
  [[nodiscard]] std::int64_t count(const RecordFilter& filter = {}) const;

  // Reads every page; one line per fault, none for a sound file.
  [[nodiscard]] std::vector<std::string> faults() const;

 private:
  struct Impl;
  explicit RecordStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sextant::records
