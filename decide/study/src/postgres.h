// The only file pair that speaks to PostgreSQL: a connection that comes back when the server does, results,
// and transactions that are tried again when the server went away in their midst.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct pg_conn;
struct pg_result;

namespace sextant::study {

// Rows of a query.
class PostgresRows {
 public:
  explicit PostgresRows(pg_result* result) : result_(result) {}
  [[nodiscard]] int count() const;
  [[nodiscard]] int changed() const;  // rows that an update or insert touched
  [[nodiscard]] std::string text(int row, int column) const;
  [[nodiscard]] std::int64_t integer(int row, int column) const;
  [[nodiscard]] bool yes(int row, int column) const;

 private:
  struct Clear {
    void operator()(pg_result*) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

class PostgresConnection {
 public:
  // InputError for an address that is none, a wrong password, a database or user that does not exist;
  // SystemError where no server answers.
  PostgresConnection(std::string url, std::chrono::milliseconds patience);

  // Within transaction().
  PostgresRows query(const std::string& sql, const std::vector<std::string>& values = {});
  // Runs the body in a transaction and commits; where the server goes away, connects again with growing
  // pauses and runs it anew, so the body must not mind. SystemError when patience ends.
  void transaction(const std::function<void()>& body);

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  struct Gone {};  // the connection broke: try again
  struct Finish {
    void operator()(pg_conn*) const;
  };
  void connect();
  void reconnect();
  [[noreturn]] void fail_to_connect() const;
  [[noreturn]] void fail(const pg_result* result) const;
  [[nodiscard]] std::string said() const;
  void roll_back();

  std::string url_;
  std::string shown_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<pg_conn, Finish> handle_;
};

}  // namespace sextant::study
