// A PostgreSQL of this test alone, on a port of the loopback, with a folder of its own and a password; gone
// with the object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/measure/child_process.h"
#include "temporary_folder.h"

namespace sextant::study::test {

class PostgresServer {
 public:
  // Why there cannot be one here; empty: there can.
  static std::string obstacle();
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }
  [[nodiscard]] std::string logs() const;
  // Of a database, which is made; the password may be another.
  std::string url(const std::string& database, const std::string& password = "sesame");
  void stop();  // at once, as a crash
  void start();
  // What psql prints for a statement of the database.
  std::string ask(const std::string& database, const std::string& sql);

 private:
  [[nodiscard]] std::vector<std::string> as_user(const std::vector<std::string>& command) const;
  [[nodiscard]] std::string address(const std::string& database, const std::string& password) const;

  TemporaryFolder folder_;
  std::string port_;
  std::optional<measure::ChildProcess> server_;
  bool ready_ = false;
};

}  // namespace sextant::study::test
