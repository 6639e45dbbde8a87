#include "sextant/records/sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>

#include "sextant/core/error.h"

namespace sextant::records {
namespace {

constexpr int kPrimary = 0xff;  // the low byte of an extended code

std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

int milliseconds(std::chrono::milliseconds patience) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp<std::int64_t>(patience.count(), 0, kMost));
}

// A file with a write-ahead log is read through a file beside it, which a folder without the right to write
// does not take. Where no log is left, nobody writes, and it can be read as it is.
bool stands_still(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::absolute(path, ignored).parent_path();
  return ::access(folder.c_str(), W_OK) != 0 && !fs::exists(path + "-wal", ignored);
}

std::string address_of(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    address += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  return address + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, OpenHow how, std::chrono::milliseconds patience, std::string what)
    : path_(path), how_(how), patience_(patience), what_(std::move(what)) {
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | (how == OpenHow::create ? SQLITE_OPEN_CREATE : 0);
  const bool still = how == OpenHow::existing && stands_still(path);
  sqlite3* opened = nullptr;
  const int code =
      still ? sqlite3_open_v2(address_of(path).c_str(), &opened,
                              SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI, nullptr)
            : sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  handle_.reset(opened);
  if (opened == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) fail(code);
  // Without the right to write, SQLite opens for reading and says nothing.
  if (how == OpenHow::create && sqlite3_db_readonly(opened, "main") == 1) fail(SQLITE_READONLY);
  sqlite3_busy_timeout(opened, milliseconds(patience));
  // A file from elsewhere may hold SQL of its own; none of it runs with side effects.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::string Database::text(const std::string& sql) {
  Statement query(*this, sql);
  return query.step() ? query.text(0) : std::string();
}

std::int64_t Database::integer(const std::string& sql) {
  Statement query(*this, sql);
  return query.step() ? query.integer(0) : 0;
}

int Database::changes() const {
  return sqlite3_changes(handle());
}

void Database::use_write_ahead_log() {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (true) {
    const int code = sqlite3_exec(handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if ((code & kPrimary) != SQLITE_BUSY || std::chrono::steady_clock::now() >= deadline) fail(code);
    sqlite3_sleep(1);
  }
}

void Database::fail_to_open() const {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const int cause = sqlite3_system_errno(handle());
  if (fs::is_directory(path_, ignored)) throw InputError({path_}, "this is a folder, not " + what_);
  if (cause == ENOTDIR)
    throw InputError({path_}, "there is no such file", "a part of the path is a file, not a folder");
  if (cause == ENOENT && how_ == OpenHow::existing) {
    throw InputError({path_}, "there is no such file", "is the name right, and is this the right folder?");
  }
  if (cause == ENOENT) {  // also when the folder is there but takes no new file
    const fs::path folder = fs::absolute(path_, ignored).parent_path();
    if (!fs::is_directory(folder, ignored))
      throw InputError({path_}, "its folder does not exist", "make '" + folder.string() + "' first");
    throw SystemError(
        path_ +
        ": cannot be created: its folder takes no new file\n  hint: name a file in a folder of yours");
  }
  throw SystemError(path_ + ": cannot be opened: " + (cause != 0 ? reason(cause) : sqlite3_errmsg(handle())));
}

namespace {

constexpr std::uintmax_t kNoRoom = 64 * 1024;  // bytes, a few pages

bool disk_is_full(const std::string& path) {
  std::error_code unknown;
  const auto room = std::filesystem::space(std::filesystem::absolute(path).parent_path(), unknown);
  return !unknown && room.available < kNoRoom;
}

}  // namespace

// What the file holds is input; what the machine does with it is the system's.
void Database::fail(int code) const {
  const std::string said = sqlite3_errmsg(handle());
  if (code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_CORRUPTFS) code = SQLITE_CORRUPT;
  switch (code & kPrimary) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_CANTOPEN:
      fail_to_open();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      throw SystemError(
          path_ +
          ": another program is writing to it and did not finish in time\n  hint: wait until it has "
          "ended; 'fuser' names who has the file open");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOLFS:
      if (disk_is_full(path_)) throw SystemError(path_ + ": cannot be written: the disk is full");
      throw SystemError(path_ + ": reading or writing failed: " + said + " (SQLite code " +
                        std::to_string(code) + ")\n  hint: is the disk full, or the folder on a network?");
    case SQLITE_PERM:
    case SQLITE_READONLY:
      throw SystemError(
          path_ +
          ": cannot be written: it may only be read\n  hint: change its rights, or name another file");
    case SQLITE_NOTADB:
      throw InputError({path_}, "this is not " + what_, "such a file is an SQLite database");
    case SQLITE_CORRUPT:
      throw InputError({path_}, "the file is damaged or cut short: " + said, "restore it from a copy");
    default:
      throw InputError(
          {path_},
          "the file cannot be used as " + what_ + ": " + said + " (SQLite code " + std::to_string(code) + ")",
          "restore it from a copy, or name another file");
  }
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
  handle_.reset(prepared);
  if (code != SQLITE_OK) database.fail(code);
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

Statement& Statement::bind(int index, const std::string& text) {
  const int code =
      sqlite3_bind_text64(handle_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  const int code = sqlite3_bind_double(handle_.get(), index, value);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

Statement& Statement::bind(int index, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_.get(), index, value);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

double Statement::number(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

// A transaction that will write says so at the start: two that both read first would deadlock.
Transaction::Transaction(Database& database, Lock lock) : database_(database) {
  database_.execute(lock == Lock::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  const bool open = sqlite3_get_autocommit(database_.handle()) == 0;
  if (open) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
}

}  // namespace sextant::records
