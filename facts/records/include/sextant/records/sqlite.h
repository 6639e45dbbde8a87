// The only file pair that speaks to SQLite: a connection, a statement, a transaction, each released
// by its destructor, with SQLite's codes turned into InputError and SystemError that name the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace sextant::records {

// What exists may turn out to be only readable; what is to be created must be writable.
enum class OpenHow { existing, create };

class Database {
 public:
  // `what` the file should be, for messages.
  Database(const std::string& path, OpenHow how, std::chrono::milliseconds patience,
           std::string what = "a file of records");

  void execute(const std::string& sql);
  // The first column of the first row.
  std::string text(const std::string& sql);
  std::int64_t integer(const std::string& sql);

  [[nodiscard]] int changes() const;  // rows that the last insert added

  // The write-ahead log needs the file for itself once, and SQLite does not wait for that.
  void use_write_ahead_log();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  [[noreturn]] void fail(int code) const;

 private:
  [[noreturn]] void fail_to_open() const;

  struct Close {
    void operator()(sqlite3*) const;
  };
  std::string path_;
  OpenHow how_;
  std::chrono::milliseconds patience_;
  std::string what_;
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  Statement& bind(int index, const std::string& text);  // from 1; the text is copied
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  bool step();  // false when there is no further row
  void reset();
  [[nodiscard]] std::string text(int column) const;  // from 0
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt*) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

enum class Lock { none, write };

// Rolled back unless committed.
class Transaction {
 public:
  Transaction(Database& database, Lock lock);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
};

}  // namespace sextant::records
