#include "sextant/records/record_store.h"

#include <unistd.h>

#include <filesystem>
#include <tuple>

#include "record_json.h"
#include "schema.h"
#include "sextant/core/error.h"
#include "sextant/records/sqlite.h"

namespace sextant::records {
namespace {

constexpr const char* kFolderHint = "\n  hint: name a file in a folder of yours";
constexpr const char* kSelect = "SELECT id, kind, fields, provenance FROM records ";

Database connect(const std::string& location, const StoreOptions& options) {
  if (location.empty()) throw InputError(at_field("db"), "no file of records was named", "such as runs.db");
  if (location.find("://") != std::string::npos) {
    throw InputError({location}, "this is the address of a server, and records are kept in a file",
                     "give the path of a file");
  }
  const OpenHow how = options.mode == StoreMode::read_write ? OpenHow::create : OpenHow::existing;
  return {location, how, options.patience};
}

// "2024", "2024-05-01", "2024-05-01T10:00:00Z": dates of ISO 8601 order as text.
void check_date(const std::string& since) {
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:ddZ";
  bool fits = since.size() <= kPattern.size();
  for (std::size_t i = 0; fits && i < since.size(); ++i) {
    const bool digit = since[i] >= '0' && since[i] <= '9';
    fits = kPattern[i] == 'd' ? digit : since[i] == kPattern[i];
  }
  if (!fits)
    throw InputError(at_field("since"), "'" + since + "' is not a date",
                     "write it as 2024-05-01 or 2024-05-01T10:00:00Z");
}

Statement select(const Database& database, std::string sql, const RecordFilter& filter) {
  check_date(filter.since);
  if (filter.limit && *filter.limit < 0) throw InputError(at_field("limit"), "a limit is not negative");
  sql += "WHERE true";
  if (!filter.kind.empty()) sql += " AND kind = ?1";
  if (!filter.since.empty()) sql += " AND json_extract(provenance, '$.date') >= ?2";
  Statement query(database, sql + " ORDER BY seq LIMIT ?3");
  query.bind(1, filter.kind).bind(2, filter.since).bind(3, filter.limit.value_or(-1));
  return query;
}

Record record_at(const Statement& row, const std::string& path) {
  const std::string id = row.text(0);
  const std::string where = path + " (record " + id + ")";
  Record record{id, row.text(1), decode_fields(row.text(2), where), decode_provenance(row.text(3), where)};
  check_record(record, {where});
  return record;
}

bool same_origin(const Provenance& a, const Provenance& b) {
  const auto all = [](const Provenance& p) {
    return std::tie(p.tool_version, p.date, p.host, p.command, p.seed, p.inputs);
  };
  return all(a) == all(b);
}

void remove_if_empty(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::file_size(path, unknown) == 0 && !unknown) std::filesystem::remove(path, unknown);
}

void check_same(const Database& database, const Record& record) {
  Statement query(database, std::string(kSelect) + "WHERE id = ?1");
  query.bind(1, record.id);
  if (query.step() && same_measurement(record_at(query, database.path()), record)) return;
  throw InputError({database.path()}, "record " + record.id + " is there already with other contents",
                   "records are append-only: a corrected measurement needs an id of its own");
}

}  // namespace

struct RecordStore::Impl {
  Database database;
};

RecordStore::RecordStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordStore::RecordStore(RecordStore&&) noexcept = default;
RecordStore& RecordStore::operator=(RecordStore&&) noexcept = default;
RecordStore::~RecordStore() = default;

RecordStore RecordStore::open(const std::string& location, const StoreOptions& options) {
  std::error_code unknown;
  const bool fresh = !std::filesystem::exists(location, unknown);
  auto impl = std::make_unique<Impl>(Impl{connect(location, options)});
  Database& database = impl->database;
  try {
    prepare_schema(database, options.mode);
  } catch (...) {
    if (fresh) remove_if_empty(location);  // a full disk takes the name of a file, but none of its contents
    throw;
  }
  if (options.mode == StoreMode::read_write) {
    database.use_write_ahead_log();
    database.execute("PRAGMA synchronous = FULL");  // sync the log at every commit
    // Ids come in no order, so that all of their index is touched again and again: in KiB, and only what is
    // used.
    database.execute("PRAGMA cache_size = -262144");
  } else {
    database.execute("PRAGMA query_only = ON");
  }
  return RecordStore(std::move(impl));
}

void check_can_append(const std::string& location) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (fs::exists(location, unknown) || location.find("://") != std::string::npos || location.empty()) {
    RecordStore::open(location, {.mode = StoreMode::read_write});
    return;
  }
  if (location == ":memory:") return;
  const fs::path folder = fs::absolute(location, unknown).parent_path();
  if (!fs::is_directory(folder, unknown)) {
    throw InputError({location}, "its folder does not exist", "make '" + folder.string() + "' first");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw SystemError(location + ": cannot be created: its folder takes no new file" + kFolderHint);
  }
}

AppendReport RecordStore::append(std::span<const Record> records) {
  AppendReport report;
  if (records.empty()) return report;
  for (const Record& record : records) check_record(record);
  Database& database = impl_->database;
  Transaction transaction(database, Lock::write);
  Statement insert(database, "INSERT INTO records(id, kind, fields, provenance) VALUES(?1, ?2, ?3, ?4)");
  const Provenance* encoded = nullptr;  // many in a row have the same
  std::string provenance;
  for (const Record& record : records) {
    if (encoded == nullptr || !same_origin(*encoded, record.provenance))
      provenance = encode_provenance(record.provenance);
    encoded = &record.provenance;
    insert.bind(1, record.id).bind(2, record.kind);
    insert.bind(3, encode_fields(record.fields)).bind(4, provenance);
    insert.step();
    insert.reset();
    if (database.changes() > 0) {
      ++report.added;
    } else {
      check_same(database, record);
      ++report.already_there;
    }
  }
  transaction.commit();
  return report;
}

AppendReport RecordStore::append(const Record& record) {
  return append(std::span(&record, 1));
}

std::vector<Record> RecordStore::read(const RecordFilter& filter) const {
  Statement rows = select(impl_->database, kSelect, filter);
  std::vector<Record> records;
  while (rows.step()) records.push_back(record_at(rows, impl_->database.path()));
  return records;
}

std::int64_t RecordStore::count(const RecordFilter& filter) const {
  Statement rows = select(impl_->database, "SELECT 1 FROM records ", filter);
  std::int64_t total = 0;
  while (rows.step()) ++total;
  return total;
}

std::vector<std::string> RecordStore::faults() const {
  std::vector<std::string> found;
  try {
    Statement check(impl_->database, "PRAGMA integrity_check");
    while (check.step()) found.push_back(check.text(0));
  } catch (const InputError& error) {  // too damaged to be checked to the end
    found.push_back(error.message());
  }
  if (found.size() == 1 && found.front() == "ok") found.clear();
  return found;
}

}  // namespace sextant::records
