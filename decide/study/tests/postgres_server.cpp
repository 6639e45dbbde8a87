#include "postgres_server.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "slurm_cluster.h"

namespace sextant::study::test {
namespace {

namespace fs = std::filesystem;

// Debian keeps the server's programs out of PATH, in a folder for each version.
std::string program(const std::string& name) {
  std::string found;
  std::error_code error;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const fs::path path = version.path() / "bin" / name;
    if (fs::exists(path)) found = std::max(found, path.string());
  }
  return found;
}

}  // namespace

std::string PostgresServer::obstacle() {
  if (program("initdb").empty()) return "PostgreSQL's server is not installed (Debian: postgresql)";
  if (::geteuid() == 0 && ::getpwnam("postgres") == nullptr) return "there is no user postgres to run it";
  if (::geteuid() == 0 && !measure::find_program("setpriv")) return "setpriv is not installed";
  return {};
}

// The server refuses to run as root.
std::vector<std::string> PostgresServer::as_user(const std::vector<std::string>& command) const {
  if (::geteuid() != 0) return command;
  std::vector<std::string> words = {measure::find_program("setpriv")->string(), "--reuid=postgres",
                                    "--regid=postgres", "--clear-groups", "--pdeathsig=KILL"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

PostgresServer::PostgresServer() : port_(sextant::test::free_port()) {
  const std::string path = folder_.path().string();
  std::ofstream(path + "/password") << "sesame\n";
  if (const passwd* user = ::getpwnam("postgres"); ::geteuid() == 0 && user != nullptr) {
    if (::chown(path.c_str(), user->pw_uid, user->pw_gid) != 0) return;
    if (::chown((path + "/password").c_str(), user->pw_uid, user->pw_gid) != 0) return;
  }
  const measure::CommandResult made =
      measure::run_command(as_user({program("initdb"), "--no-sync", "--auth=scram-sha-256",
                                    "--username=sextant", "--pwfile=" + path + "/password", "--locale=C",
                                    "--encoding=UTF8", "--pgdata=" + path + "/data"}),
                           120);
  std::ofstream(path + "/initdb.log") << made.output;
  if (!made.ending.empty()) return;
  start();
}

PostgresServer::~PostgresServer() {
  stop();
}

void PostgresServer::start() {
  const std::string path = folder_.path().string();
  server_.emplace(measure::ChildSpec{
      .command = as_user({program("postgres"), "-D", path + "/data", "-p", port_, "-h", "127.0.0.1", "-k",
                          path, "-c", "shared_buffers=16MB", "-c", "max_connections=50", "-c", "fsync=off"}),
      .log = folder_.path() / "server.log"});
  ready_ = false;
  for (int wait = 0; wait < 300 && !ready_; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ready_ = trim(ask("postgres", "SELECT 7")) == "7";
  }
}

// SIGQUIT: connections are cut off, the log is read at the next start.
void PostgresServer::stop() {
  ready_ = false;
  if (!server_) return;
  server_->signal(SIGQUIT);
  for (int wait = 0; wait < 200 && !server_->poll(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  server_.reset();
}

std::string PostgresServer::logs() const {
  std::string text = read_text_file((folder_.path() / "initdb.log").string());
  const auto log = folder_.path() / "server.log";
  return fs::exists(log) ? text + read_text_file(log.string()) : text;
}

std::string PostgresServer::address(const std::string& database, const std::string& password) const {
  return "postgresql://sextant:" + password + "@127.0.0.1:" + port_ + "/" + database;
}

std::string PostgresServer::url(const std::string& database, const std::string& password) {
  ask("postgres", "CREATE DATABASE " + database);
  return address(database, password);
}

std::string PostgresServer::ask(const std::string& database, const std::string& sql) {
  return measure::run_command({"psql", "-qAt", "-c", sql, address(database, "sesame")}).output;
}

}  // namespace sextant::study::test
